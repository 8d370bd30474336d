#include "actors/model/model_stream_intake.hpp"

#include <utility>

#include <caf/all.hpp>

#include "actors/urgent.hpp"

namespace troupe {

model_stream_intake::model_stream_intake(caf::actor_clock& clock, model_stream_actor stream,
                                         uint64_t attempt, std::unique_ptr<model_decoder> decoder)
    : clock_{clock}, decoder_{std::move(decoder)}, stream_{std::move(stream)}, attempt_{attempt} {}

/// The caller is a loop, which nothing may be thrown at.
void model_stream_intake::arrive(http_part&& part) {
  const std::lock_guard guard{mutex_};
  try {
    if (pass_on(part))
      return;
  } catch (...) {
    return exit_now(stream_, stream_.address(), caf::exit_reason::unhandled_exception);
  }
  ++under_way_;
  part.exchange = attempt_;
  caf::anon_send(stream_, std::move(part));
}

/// Returns whether the model_stream need not know of it.
bool model_stream_intake::pass_on(http_part& part) {
  if (!reader_ || under_way_ > 0 || part.last || part.status != 0)
    return false;
  last_read_ = clock_.now();
  model_output output;
  auto end = decoder_->feed(part.bytes, output.events);
  if (end.over || std::exchange(finished_, end.finished) != end.finished) {
    end_ = std::move(end);
    rest_ = std::move(output.events);
    waits_ = true;
    return false;
  }
  output.request = request_;
  if (!output.events.empty())
    caf::anon_send(reader_, std::move(output));
  return true;
}

model_end model_stream_intake::read(const http_part& part, std::vector<event>& out) {
  const std::lock_guard guard{mutex_};
  if (std::exchange(waits_, false)) {
    out = std::move(rest_);
    return std::move(end_);
  }
  if (part.status != 0)
    decoder_->head(part.status, part.content_type, part.retry_after);
  if (part.bytes.empty())
    return {};
  auto end = decoder_->feed(part.bytes, out);
  finished_ = end.finished;
  return end;
}

void model_stream_intake::told() {
  const std::lock_guard guard{mutex_};
  --under_way_;
}

model_end model_stream_intake::finish(const failure& cut, std::vector<event>& out) {
  const std::lock_guard guard{mutex_};
  reader_ = nullptr;
  if (std::exchange(waits_, false)) {
    out = std::move(rest_);
    if (end_.over)
      return std::move(end_);
  }
  return decoder_->finish(cut, out);
}

void model_stream_intake::go_on(model_reader_actor reader, uint32_t request) {
  const std::lock_guard guard{mutex_};
  reader_ = std::move(reader);
  request_ = request;
}

model_stream_intake::time_point model_stream_intake::last_read() const {
  const std::lock_guard guard{mutex_};
  return last_read_;
}

} // namespace troupe

#include "actors/model_stream.hpp"

#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"

namespace troupe {

namespace {

struct model_stream_state {
  static inline const char* name = "troupe.model_stream";

  explicit model_stream_state(model_stream_actor::pointer ptr) : self{ptr} {}

  model_stream_actor::behavior_type make_behavior() {
    return {
        [this](const http_part& part) { on_part(part); },
        [this](const flow_control& flow) { on_flow(flow); },
    };
  }

  void start(http_port& http, http_request request) {
    quiet(self);
    auto me = caf::actor_cast<model_stream_actor>(self);
    exchange = http.open(std::move(request), 0,
                         [me](http_part&& part) { caf::anon_send(me, std::move(part)); });
  }

  void on_part(const http_part& part) {
    if (part.status != 0)
      decoder->head(part.status, part.content_type, part.retry_after);
    model_output output;
    output.round = round;
    auto end = part.bytes.empty() ? model_end{} : decoder->feed(part.bytes, output.events);
    if (!end.over && part.last)
      end = end_of_body(part, output.events);
    if (output.events.empty() && !end.over)
      return;
    output.over = end.over;
    output.reason = end.reason;
    output.used = end.used;
    output.error = end.error.code;
    output.error_text = std::move(end.error.message);
    self->send(reader, std::move(output));
    if (end.over)
      self->quit();
  }

  /// The decoder knows of a cut only; what cut it is known here.
  model_end end_of_body(const http_part& part, std::vector<event>& events) {
    auto end = decoder->finish({part.error, part.error_text}, events);
    if (end.error && part.error == errc::connect_failed)
      end.error = {errc::model_unreachable, part.error_text};
    else if (end.error && part.error == errc::deadline_exceeded)
      end.error = {errc::model_timeout, part.error_text};
    return end;
  }

  void on_flow(const flow_control& flow) {
    if (flow.paused)
      exchange->pause();
    else
      exchange->resume();
  }

  model_stream_actor::pointer self;
  model_reader_actor reader;
  std::unique_ptr<model_decoder> decoder;
  std::unique_ptr<http_exchange> exchange; ///< its end closes the connection
  uint32_t round = 0;
};

model_stream_actor::behavior_type
model_stream(model_stream_actor::stateful_pointer<model_stream_state> self,
             model_reader_actor reader, model_stream_config config) {
  auto& state = self->state;
  state.reader = std::move(reader);
  state.decoder = std::move(config.decoder);
  state.round = config.round;
  state.start(*config.http, std::move(config.request));
  return state.make_behavior();
}

} // namespace

model_stream_actor spawn_model_stream(caf::local_actor& parent, model_reader_actor reader,
                                      model_stream_config config) {
  return parent.spawn<caf::linked>(model_stream, std::move(reader), std::move(config));
}

} // namespace troupe

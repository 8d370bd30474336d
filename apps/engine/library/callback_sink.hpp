// Events to a function.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "messages/ports/log_line.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// Returns the one batch of a turn that was not accepted: SESSION_ERROR.
inline event_batch refusal_batch(const failure& why) {
  event_batch batch;
  batch.first_seq = 1;
  batch.events.emplace_back(session_error::of(why));
  return batch;
}

/// Calls a function with each batch; always wants more. An exception of the function ends the
/// viewer, and the function is not called again.
class callback_sink final : public event_sink {
public:
  /// @param log is told what it throws; may be null
  callback_sink(std::function<void(const event_batch&)> deliver, std::shared_ptr<log_port> log)
      : deliver_(std::move(deliver)), log_(std::move(log)) {}

  void watch(std::function<void(response_signal)>) override {}

  bool deliver(const event_batch& batch) override try {
    if (deliver_)
      deliver_(batch);
    return true;
  } catch (const std::exception& what) {
    give_up(batch, what.what());
    throw;
  } catch (...) {
    give_up(batch, "something that is no std::exception");
    throw;
  }

  void refuse(const failure& why) override { deliver(refusal_batch(why)); }

private:
  void give_up(const event_batch& batch, std::string_view thrown) {
    deliver_ = nullptr;
    write_log(log_.get(), log_level::error, "callback",
              log_line{}.add("session", batch.session_id).add("message", thrown));
  }

  std::function<void(const event_batch&)> deliver_;
  std::shared_ptr<log_port> log_;
};

} // namespace troupe

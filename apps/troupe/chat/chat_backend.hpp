// The backends of `troupe chat`, which run its turns: an engine of its own, or a server.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "apps/engine/config.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Runs one turn at a time.
class chat_backend {
public:
  /// Gets each event as JSON, as append_event_json makes it.
  using event_printer = std::function<void(std::string_view)>;

  virtual ~chat_backend() = default;

  /// Runs a turn to its end. Returns an error when it could not even be asked for.
  virtual failure run(const std::string& prompt, const event_printer& print) = 0;

  /// Stops the running turn; its ABORT and SESSION_END still come. Any thread.
  virtual void abort() = 0;
};

/// Runs turns in this process. Where another one uses the data folder, or it cannot be written to,
/// a note on stderr says that the chat is not kept.
std::unique_ptr<chat_backend> local_backend(engine_config config, std::string session_id);

/// Runs turns on a `troupe serve`. @param url "http://127.0.0.1:8080" @param model key there; "" =
/// default
std::unique_ptr<chat_backend> remote_backend(std::string url, const std::string& session_id,
                                             std::string model);

} // namespace troupe

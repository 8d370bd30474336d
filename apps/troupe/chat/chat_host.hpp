// Where a chat in the terminal runs: an engine of its own, or a running server.
#pragma once

#include <memory>
#include <string>

#include "apps/engine/engine.hpp"
#include "apps/troupe/engine_options.hpp"
#include "apps/troupe/server_client.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Both are asked over HTTP, so nothing behind this knows which one it is: the engine listens on a
/// port of loopback, with a key that only this process has. Ends its engine with itself.
class chat_host {
public:
  ~chat_host();

  chat_host(const chat_host&) = delete;
  chat_host& operator=(const chat_host&) = delete;

  /// Reads the configuration of an engine of its own. A process of root becomes the owner of its
  /// data folder: before any other thread exists.
  /// @param quiet without words on who answers, and as whom
  static failure prepare(const engine_options& options, bool quiet, engine_config& out);

  /// Starts an engine. Where another process uses the data folder, or it cannot be written to, a
  /// note on stderr says that the chat is not kept. Throws start_error for any other reason.
  /// @param config as prepare() made it
  static std::unique_ptr<chat_host> start(engine_config config, failure& why);

  /// @param url of a `troupe serve`
  static std::unique_ptr<chat_host> at(const std::string& url);

  server_client& server() { return *server_; }

  /// Returns whether it is an engine of this process, which nobody else can ask.
  bool is_own() const noexcept { return engine_ != nullptr; }

  /// Returns whether chats may be kept. Only a server of others can tell for sure.
  bool keeps() const noexcept { return keeps_; }

private:
  chat_host() = default;

  failure run(engine_config config);

  std::unique_ptr<engine> engine_;
  std::unique_ptr<server_client> server_;
  bool keeps_ = true;
};

} // namespace troupe

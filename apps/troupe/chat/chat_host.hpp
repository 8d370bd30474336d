// Where a chat in the terminal runs: an engine of its own, or a running server.
#pragma once

#include <memory>
#include <string>

#include "apps/troupe/asked_server.hpp"
#include "apps/troupe/engine_options.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Nothing behind this knows which one it is: an engine has a key that only this process has. Ends
/// its engine with itself.
class chat_host {
public:
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

  server_client& server() const noexcept { return server_.client(); }

  /// Returns whether it is an engine of this process, which nobody else can ask.
  bool is_own() const noexcept { return server_.own() != nullptr; }

  /// Returns whether chats may be kept. Only a server of others can tell for sure.
  bool keeps() const noexcept { return keeps_; }

  /// Returns whether chats were to be kept, in a folder that cannot be used now.
  bool lacks_folder() const noexcept { return lacks_folder_; }

private:
  chat_host() = default;

  failure run(engine_config config);

  asked_server server_;
  bool keeps_ = true;
  bool lacks_folder_ = false;
};

} // namespace troupe

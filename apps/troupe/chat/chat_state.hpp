// State of a chat in the terminal.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/troupe/asked_server.hpp"
#include "apps/troupe/chat/attached_file.hpp"
#include "apps/troupe/chat/turn_view.hpp"
#include "apps/troupe/editor/line_editor.hpp"
#include "apps/troupe/engine_options.hpp"
#include "apps/troupe/server_client.hpp"
#include "apps/troupe/terminal/hidden_typing.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// The input of a turn.
struct turn_input {
  std::string text;
  /// Takes the place of the chat's system message, and stays; "": it has none then.
  std::optional<std::string> system = {};
  std::vector<attached_file> files = {}; ///< in front of the text
  std::string model = {};                ///< key of the server; "": the chat's own, or the default
  bool answers = false;                  ///< a person answers what MCP servers ask
};

/// Asks a server about one chat, or about all. Any thread, but for use().
class chat_client {
public:
  /// @param server must outlive this @param id of the chat, which need not exist
  chat_client(server_client& server, std::string id);

  const std::string& id() const noexcept { return id_; }
  server_client& server() const noexcept { return server_; }

  /// Goes on with another chat.
  void use(std::string id);

  /// Starts a turn; as server_client::begin().
  std::unique_ptr<http_exchange> begin_turn(const turn_input& input,
                                            server_client::event_visitor visit,
                                            server_client::end_visitor ended);

  /// Stops the turn that runs, and waits for nothing.
  void abort() { server_.post(session_ + "/abort", "{}"); }

  /// The same, and tells whether it was asked for.
  server_answer stop() { return server_.send("POST", session_ + "/abort", "{}"); }

  /// Answers a call that waits for an approval.
  server_answer approve(std::string_view approval_id, bool approved);

  /// Returns the chat as the HTTP interface shows it (docs/conversations.md).
  server_answer show() { return server_.send("GET", conversation_); }

  /// Returns the chat as `troupe conversations export` writes it.
  server_answer export_file() { return server_.send("GET", conversation_ + "/export"); }

  /// Returns the chats that were changed last.
  server_answer latest(int limit);

  server_answer models() { return server_.send("GET", "/v1/models"); }
  server_answer tools() { return server_.send("GET", "/v1/mcp/tools"); }

private:
  server_client& server_;
  std::string id_;
  std::string session_;      ///< path
  std::string conversation_; ///< path
};

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

/// SIGINT stops the answer; a second one, and one while nothing can be stopped, ends the process.
/// SIGTERM and SIGHUP stop it, too, and then the chat ends. At a prompt they leave that.
///
///     elsewhere <--turn()/end_turn()--> in a turn
///         ^-----prompt()/end_prompt()-> at a prompt
///
/// Signals are handled on a thread of their own, which may run until the process ends: shared.
class chat_signals : public std::enable_shared_from_this<chat_signals> {
public:
  /// Begins to handle them. The thread must have them blocked (block_signals()).
  void begin();

  /// A turn runs from now on. @param stop is called once; any thread
  /// @param typing is shown again at the end of the turn, or of the process; may be nullptr
  void turn(std::function<void()> stop, hidden_typing* typing);
  void end_turn();

  /// The editor reads from now on.
  void prompt(line_editor& editor);
  void end_prompt();

  /// Returns whether the turn that runs is to stop. Any thread.
  bool stopping() const noexcept { return stopping_; }

  /// Returns whether nothing more is to be asked. Any thread.
  bool ending() const noexcept { return ending_; }

private:
  void handle(int signal);

  std::mutex mutex_;
  std::function<void()> stop_;
  hidden_typing* typing_ = nullptr;
  line_editor* editor_ = nullptr;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> ending_{false};
};

/// The usage of turns, as far as their models reported it.
struct chat_usage {
  uint64_t turns = 0;
  int64_t input_tokens = 0;
  int64_t output_tokens = 0;
};

/// A chat, and what was set for its next messages. Main thread.
struct chat_state {
  chat_host& host;
  chat_client client;
  std::shared_ptr<chat_signals> signals;
  view_style style;
  bool can_ask = false;   ///< a person can answer questions
  std::string model = {}; ///< key for the next turns; "": the chat's, or the default
  /// Goes with the next message, and takes the place of what the chat has; "": it has none then.
  std::optional<std::string> system = {};
  std::vector<attached_file> files = {}; ///< go with the next message
  chat_usage used = {};                  ///< since the program began
  chat_usage last = {};                  ///< of the last turn
};

} // namespace troupe

// The requests of one chat.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/troupe/chat/attached_file.hpp"
#include "apps/troupe/server_client.hpp"

namespace troupe {

/// What a turn is asked with.
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

} // namespace troupe

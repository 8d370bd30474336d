// Collects the inputs of a turn's first model request: a prompt's messages, tools, attachments.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actors/session/chat_files.hpp"
#include "actors/session/tool_names.hpp"
#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/resource_messages.hpp"
#include "messages/mcp/tool_list.hpp"
#include "messages/mcp/tool_messages.hpp"

namespace troupe {

/// Makes one set of the tools that a session has and those of its client. Not thread safe; lives in
/// a session.
///
/// Where both have a tool of the same name, the client's counts for that turn: the client asked for
/// it, and a call then reaches no server. The session's set is untouched, so that the server's tool
/// has its name back in a turn without the client's.
class merged_tools {
public:
  /// Returns `base` itself when the client has none, else both sorted by name; the very set of the
  /// last call while nothing has changed.
  /// @param own of several tools with one name the first counts
  const frozen<tool_set>& join(const frozen<tool_set>& base,
                               const std::vector<tool_definition>& own);

private:
  bool same(const frozen<tool_set>& base, const std::vector<tool_definition>& own) const;

  frozen<tool_set> base_;
  std::vector<tool_definition> own_;
  frozen<tool_set> joined_;
};

struct session_state;

/// The part of a session that asks the mcp_hub and the resource_store for what a turn begins with,
/// one after the other. Not thread safe; lives in a session_state.
///
///   done --start--> [prompt --its messages-->] tools --a set--> [attachments --a list-->]
///                                                               [files --their bytes-->] done
///                                                ^ '-(may be refused)-> held
///                                                '------go_on------------'
///
/// A phase in brackets is left out where the request has no prompt, nothing is attached, or the
/// history names no uploaded file. A prompt that cannot be used, a server or a file of the new
/// message that is unknown fails the turn: done. If the turn ends in any other way meanwhile, the
/// phase stays until the next turn's start.
class turn_preparation {
public:
  explicit turn_preparation(session_state& session) : session_{session} {}

  /// A turn has begun.
  void start();

  /// The hub's answer to list_tools.
  void on_tools(const tool_snapshot& tools);

  /// The turn cannot be refused any more.
  void go_on();

  /// The hub has crashed, and will not answer: the turn continues without its tools. The caller
  /// advances the turn.
  void on_hub_restart();

  /// The turn is over: a prompt that it waits for is asked for no longer.
  void stop();

private:
  /// The input that the turn waits for.
  enum class phase : uint8_t { done, prompt, tools, held, attachments, files };

  void ask_for_prompt();
  void on_prompt(const std::string& ask_id, const mcp_answer& got);
  void cancel_prompt(const std::string& ask_id);
  void list_all_tools();
  uint32_t places_for_tools() const;
  void want_attachments(const frozen<tool_set>& tools);
  void ask_for_attachments(const frozen<tool_set>& tools);
  void on_attachments(const std::string& turn_id, const frozen<tool_set>& tools,
                      attachment_list got);
  void want_files(const frozen<tool_set>& tools);
  void ask_for_files(const frozen<tool_set>& tools, named_files named);
  void on_files(const std::string& turn_id, const frozen<tool_set>& tools, file_contents got);
  void files_failed(const failure& why);
  void tools_ready(const frozen<tool_set>& tools);

  session_state& session_;
  phase phase_ = phase::done;
  std::string prompt_ask_; ///< the id of the question that runs; empty: none
  merged_tools own_tools_; ///< with those of the client
  tool_names names_;       ///< that the chat has seen
};

} // namespace troupe

// The MCP side of an engine: servers, tools, resources, prompts, and the servers' questions.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "messages/errors.hpp"
#include "messages/mcp/mcp_config.hpp"
#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/resource_messages.hpp"
#include "messages/mcp/server_status.hpp"
#include "messages/mcp/tool_messages.hpp"
#include "messages/wire/mcp/prompts.hpp"

namespace troupe {

/// The answer of a tool.
struct tool_result {
  failure error;    ///< tool_failed: the tool itself answered with an error, `text`
  std::string text; ///< what a model would be told
  raw_json result;  ///< the MCP result object, if there was one
};

/// Everything an engine can do with MCP servers, outside of any turn. Members are for any thread
/// but the engine's own; all block until there is an answer, except where they take a callback.
/// Callbacks run on an engine's thread and must not block; what they throw is dropped, and ends a
/// watch. Owned by its engine.
class mcp_host {
public:
  virtual ~mcp_host() = default;

  // -- servers -----------------------------------------------------------------------------------
  virtual std::vector<server_status> servers() = 0;
  /// Adds a server or changes the one with its name. With a data folder the change is stored, else
  /// it lasts until the engine ends.
  virtual failure put_server(const mcp_server_config& config) = 0;
  virtual failure change_server(const std::string& server, server_verb verb) = 0;

  // -- tools -------------------------------------------------------------------------------------
  /// @param call tool_call_id and `answers` are ignored; arguments: JSON text of an object, "" = {}
  /// @param progress may be empty; is called only before the result
  virtual tool_result call_tool(const troupe::call_tool& call,
                                std::function<void(const tool_progress&)> progress = {}) = 0;
  /// The same without blocking; `done` is called exactly once, with shutting_down for calls that
  /// the engine's end left open. For many calls at once.
  virtual void call_tool(const troupe::call_tool& call, std::function<void(tool_result)> done) = 0;

  // -- everything else ---------------------------------------------------------------------------
  /// Any request of mcp::find_method; the result is as the server sent it.
  virtual mcp_answer ask(const mcp_ask& what) = 0;
  virtual mcp_answer read_resource(const troupe::read_resource& what) = 0;
  virtual mcp_answer subscribe(const std::string& server, const std::string& uri, bool on) = 0;
  virtual mcp_answer get_prompt(const std::string& server, const std::string& prompt,
                                const std::map<std::string, std::string>& arguments) = 0;
  virtual mcp_answer complete(const std::string& server, const mcp::completion_request& what) = 0;

  // -- attachments of a chat ---------------------------------------------------------------------
  virtual attachment attach(const add_attachment& what) = 0;
  virtual failure detach(const remove_attachment& what) = 0;
  virtual std::vector<attachment> attachments(const std::string& session_id) = 0;

  // -- events, and questions of servers ----------------------------------------------------------
  /// Calls `deliver` with every event until the returned value is destroyed; its destructor waits
  /// for a call that is under way. It must be destroyed before the engine.
  /// @param answers the caller answers "clientRequest" events with answer()
  virtual std::shared_ptr<void> watch(std::function<void(const mcp_event&)> deliver,
                                      bool answers = false) = 0;
  virtual failure answer(const client_answer& what) = 0;
};

} // namespace troupe

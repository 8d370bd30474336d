// The MCP side of an engine, by the actors of its system.
#pragma once

#include "apps/engine/library/host_caller.hpp"
#include "apps/engine/mcp_host.hpp"

namespace troupe {

/// Answers by requests to the actors of a system. Any thread that may wait.
class mcp_host_impl final : public mcp_host {
public:
  /// @param system outlives the object
  explicit mcp_host_impl(caf::actor_system& system);
  ~mcp_host_impl() override;

  mcp_host_impl(const mcp_host_impl&) = delete;
  mcp_host_impl& operator=(const mcp_host_impl&) = delete;

  /// Takes running calls back; they and all later ones are answered with shutting_down.
  void end_calls();

  std::vector<server_status> servers() override;
  failure put_server(const mcp_server_config& config) override;
  failure change_server(const std::string& server, server_verb verb) override;
  tool_result call_tool(const troupe::call_tool& call,
                        std::function<void(const tool_progress&)> progress) override;
  void call_tool(const troupe::call_tool& call, std::function<void(tool_result)> done) override;
  mcp_answer ask(const mcp_ask& what) override;
  mcp_answer read_resource(const troupe::read_resource& what) override;
  mcp_answer subscribe(const std::string& server, const std::string& uri, bool on) override;
  mcp_answer get_prompt(const std::string& server, const std::string& prompt,
                        const std::map<std::string, std::string>& arguments) override;
  mcp_answer complete(const std::string& server, const mcp::completion_request& what) override;
  attachment attach(const add_attachment& what) override;
  failure detach(const remove_attachment& what) override;
  std::vector<attachment> attachments(const std::string& session_id) override;
  std::shared_ptr<void> watch(std::function<void(const mcp_event&)> deliver, bool answers) override;
  failure answer(const client_answer& what) override;

private:
  void start_call(troupe::call_tool call, std::shared_ptr<pending<tool_result>> result,
                  std::function<void(const tool_progress&)> progress);

  caf::actor_system& system_;
  host_caller_actor caller_;
};

} // namespace troupe

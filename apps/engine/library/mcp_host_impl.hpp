// The MCP side of an engine, by the actors of its system.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include <caf/allowed_unsafe_message_type.hpp>

#include "apps/engine/mcp_host.hpp"
#include "messages/interfaces/mcp_interfaces.hpp"

namespace troupe {

/// The receiver of one answer. Its destructor answers shutting_down if there was no answer.
template <class Answer>
class pending {
public:
  explicit pending(std::function<void(Answer)> done) : done_(std::move(done)) {}
  ~pending() {
    Answer none;
    none.error = {errc::shutting_down, ""};
    answer(std::move(none));
  }
  pending(const pending&) = delete;
  pending& operator=(const pending&) = delete;

  /// Passes the answer on; only the first one counts. What the user's code throws is dropped, it
  /// must not end the calls of others.
  void answer(Answer what) noexcept {
    try {
      if (auto done = std::exchange(done_, nullptr))
        done(std::move(what));
    } catch (...) { // NOLINT(bugprone-empty-catch): there is nobody to tell
    }
  }

private:
  std::function<void(Answer)> done_;
};

/// Where the result of a tool call goes.
class result_sink final : public tool_sink {
public:
  /// @param progress may be empty
  result_sink(std::shared_ptr<pending<tool_result>> result,
              std::function<void(const tool_progress&)> progress)
      : result_(std::move(result)), progress_(std::move(progress)) {}

  void progress(const tool_progress& report) override;
  void outcome(tool_outcome& how) override;

private:
  std::shared_ptr<pending<tool_result>> result_;
  std::function<void(const tool_progress&)> progress_;
};

/// Any other request: an mcp_ask for the hub, or a read_resource for the store.
template <class Ask>
struct ask_job {
  Ask ask;
  std::shared_ptr<pending<mcp_answer>> result;
};

/// A request to an MCP server.
using request_job = ask_job<mcp_ask>;
/// A read of a resource.
using read_job = ask_job<read_resource>;

} // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::request_job)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::read_job)

namespace troupe {

/// Takes jobs and answers each exactly once, on the thread it runs on. It also is the sender of
/// tool calls, whose results go to their sinks.
using host_caller_actor =
    tool_client_actor::extend<caf::reacts_to<request_job>, caf::reacts_to<read_job>>;

/// Spawns the caller. When it ends, the hub cancels its tool calls and drops their sinks; its open
/// jobs are answered with shutting_down.
host_caller_actor spawn_host_caller(caf::actor_system& system);

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

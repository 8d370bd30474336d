// Calls of the library's users: one actor stands for all of them.
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

} // namespace troupe

// Every way a turn, a tool or a server can fail, and what it means to the three people who see it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/fields.hpp"

namespace troupe {

/// Who has to act for the error to go away.
enum class blame : uint8_t {
  nobody,    ///< nothing failed
  client,    ///< the caller sent something wrong, or stopped
  model,     ///< the model or the way to it
  tool,      ///< an MCP server or the way to it
  operator_, ///< configuration or the machine
  engine,    ///< a defect of ours
};

/// X(name, blame, retryable, text for the user); the order is the wire order: append only.
#define TROUPE_ERRORS(X)                                                                           \
  X(none, nobody, false, "no error")                                                               \
  X(request_invalid, client, false, "The request is not valid.")                                   \
  X(request_too_large, client, false, "The request is too large.")                                 \
  X(session_busy, client, true, "This chat is still answering; wait or stop it first.")            \
  X(session_unknown, client, false, "There is no such chat.")                                      \
  X(shutting_down, operator_, true, "The server is shutting down; try again shortly.")             \
  X(too_many_sessions, operator_, true, "The server is at its limit of chats; try again later.")   \
  X(model_unknown, client, false, "There is no such model.")                                       \
  X(model_unreachable, model, true, "The model can not be reached.")                               \
  X(model_refused, model, false, "The model refused the request.")                                 \
  X(model_overloaded, model, true, "The model is overloaded; try again later.")                    \
  X(model_failed, model, true, "The model failed.")                                                \
  X(model_answer_invalid, model, true, "The model sent an answer that can not be read.")           \
  X(model_stream_cut, model, true, "The model's answer broke off.")                                \
  X(model_timeout, model, true, "The model did not answer in time.")                               \
  X(tool_unknown, model, false, "The model asked for a tool that does not exist.")                 \
  X(tool_arguments_invalid, model, false, "The model called a tool with invalid arguments.")       \
  X(tool_failed, tool, false, "The tool reported an error.")                                       \
  X(tool_timeout, tool, true, "The tool did not answer in time.")                                  \
  X(tool_cancelled, client, false, "The tool call was cancelled.")                                 \
  X(server_unavailable, tool, true, "The MCP server is not connected.")                            \
  X(server_lost, tool, true, "The connection to the MCP server was lost.")                         \
  X(server_protocol, tool, false, "The MCP server broke the protocol.")                            \
  X(server_start_failed, operator_, false, "The MCP server can not be started.")                   \
  X(aborted, client, false, "The turn was aborted.")                                               \
  X(connect_failed, operator_, true, "The connection could not be opened.")                        \
  X(connection_cut, operator_, true, "The connection broke off.")                                  \
  X(deadline_exceeded, operator_, true, "A deadline passed.")                                      \
  X(config_invalid, operator_, false, "The configuration is not valid.")                           \
  X(address_unavailable, operator_, false, "The address can not be listened on.")                  \
  X(not_found, client, false, "There is nothing at this address.")                                 \
  X(method_not_allowed, client, false, "This address takes another method.")                       \
  X(internal, engine, true, "Something went wrong inside the server.")                             \
  X(server_unknown, client, false, "There is no such MCP server.")                                 \
  X(server_refused, tool, false, "The MCP server refused the request.")                            \
  X(server_session_lost, tool, true, "The MCP server forgot the session.")                         \
  X(outcome_unknown, tool, false, "The connection was lost; the tool may or may not have run.")    \
  X(capability_missing, tool, false, "The MCP server does not offer this.")                        \
  X(tool_result_invalid, tool, false, "The tool's result does not match its schema.")              \
  X(request_declined, client, false, "The client declined the server's request.")                  \
  X(too_many_connections, operator_, true, "The server is at its limit of connections.")           \
  X(connect_timeout, operator_, true, "The connection could not be opened in time.")               \
  X(model_first_token_timeout, model, true, "The model did not begin to answer in time.")          \
  X(model_idle_timeout, model, true, "The model stopped in mid-answer.")                           \
  X(model_busy, model, true, "Too many requests wait for the model; try again later.")             \
  X(tool_denied, client, false, "The tool call was not approved.")                                 \
  X(tool_calls_repeated, model, false, "The model repeats the same tool call.")                    \
  X(too_many_tool_calls, model, false, "The model asked for too many tool calls at once.")         \
  X(turn_limit_reached, operator_, false, "The turn reached its limit.")                           \
  X(turn_not_running, client, false, "Nothing is running in this chat.")                           \
  X(prompt_failed, tool, false, "The prompt can not be used.")

/// What went wrong. `to_string` gives the name as it stands on the wire.
enum class errc : uint8_t {
#define TROUPE_ENUM(name, who, retry, text) name,
  TROUPE_ERRORS(TROUPE_ENUM)
#undef TROUPE_ENUM
};

/// Returns the code's name, as sent to clients ("model_timeout"). Any thread.
std::string to_string(errc code);

/// Returns the code with that name, or errc::internal if there is none. Any thread.
errc errc_from(std::string_view name);

/// Returns who has to act.
blame caused_by(errc code);

/// Returns whether the same request may succeed later without any change.
bool retryable(errc code);

/// Returns one sentence for the person at the chat window; no internals in it.
std::string_view user_text(errc code);

/// A code with what is known about this one case; the form in which errors travel in values.
struct failure {
  errc code = errc::none;
  std::string message; ///< what was wrong, where, and what to do; empty = user_text(code)

  explicit operator bool() const { return code != errc::none; }

  /// Returns `message`, or the code's own text when there is none.
  std::string text() const { return message.empty() ? std::string{user_text(code)} : message; }

  static constexpr auto fields() {
    return std::make_tuple(field("code", &failure::code), field("message", &failure::message));
  }
};

} // namespace troupe

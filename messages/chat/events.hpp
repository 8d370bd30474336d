// THE list of stream events: the variant, CAF inspection and JSON follow from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "messages/chat/client_events.hpp"
#include "messages/chat/tool_events.hpp"
#include "messages/chat/turn_events.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// X(struct, name on the wire), in the order of the vocabulary: append only.
#define TROUPE_EVENTS(X)                                                                           \
  X(session_start, "SESSION_START")                                                                \
  X(model_response_waiting, "MODEL_RESPONSE_WAITING")                                              \
  X(text_delta, "TEXT")                                                                            \
  X(reasoning_delta, "REASONING")                                                                  \
  X(tool_args_start, "TOOL_ARGS_START")                                                            \
  X(tool_args_delta, "TOOL_ARGS_DELTA")                                                            \
  X(tool_args_complete, "TOOL_ARGS_COMPLETE")                                                      \
  X(mcp_tool_start, "MCP_TOOL_START")                                                              \
  X(mcp_tool_progress, "MCP_TOOL_PROGRESS")                                                        \
  X(mcp_tool_success, "MCP_TOOL_SUCCESS")                                                          \
  X(mcp_tool_error, "MCP_TOOL_ERROR")                                                              \
  X(model_generation_stop, "MODEL_GENERATION_STOP")                                                \
  X(session_end, "SESSION_END")                                                                    \
  X(session_error, "SESSION_ERROR")                                                                \
  X(abort_event, "ABORT")                                                                          \
  X(mcp_client_request, "MCP_CLIENT_REQUEST")                                                      \
  X(tool_approval_request, "TOOL_APPROVAL_REQUEST")

namespace detail {
template <class First, class... Rest>
std::variant<Rest...> variant_without(std::variant<First, Rest...>*);
#define TROUPE_ALTERNATIVE(type, name) , type
using listed_events = std::variant<std::monostate TROUPE_EVENTS(TROUPE_ALTERNATIVE)>;
#undef TROUPE_ALTERNATIVE
} // namespace detail

/// One event of the stream.
using event = decltype(detail::variant_without(static_cast<detail::listed_events*>(nullptr)));

/// Returns the event's name on the wire ("MCP_TOOL_START").
std::string_view name_of(const event& what);

/// Returns whether the event is the last one of its turn.
bool is_terminal(const event& what);

/// Consecutive events of one turn. Event i has the sequence number first_seq + i.
struct event_batch {
  std::string session_id;
  std::string turn_id;
  uint64_t first_seq = 0; ///< sequence numbers count from 1 within a turn
  int64_t time_us = 0;    ///< monotonic, microseconds; when the batch was made
  std::vector<event> events;
  static constexpr auto fields(auto...) {
    return std::make_tuple(
        field("session_id", &event_batch::session_id), field("turn_id", &event_batch::turn_id),
        field("first_seq", &event_batch::first_seq), field("time_us", &event_batch::time_us),
        field("events", &event_batch::events));
  }
};

} // namespace troupe

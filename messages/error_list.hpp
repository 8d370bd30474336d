// THE list of errors: name, who has to act, whether to try again, HTTP status, text for the user.
#pragma once

/// X(name, blame, retryable, HTTP status, text for the user); the order is the wire order: append
/// only. 500 also stands for errors that refuse no request of a client.
#define TROUPE_ERRORS(X)                                                                           \
  X(none, nobody, false, 500, "no error")                                                          \
  X(request_invalid, client, false, 400, "The request is not valid.")                              \
  X(request_too_large, client, false, 413, "The request is too large.")                            \
  X(session_busy, client, true, 409, "This chat is still answering; wait or stop it first.")       \
  X(session_unknown, client, false, 404, "There is no such chat.")                                 \
  X(shutting_down, operator_, true, 503, "The server is shutting down; try again shortly.")        \
  X(too_many_sessions, operator_, true, 503,                                                       \
    "The server is at its limit of chats; try again later.")                                       \
  X(model_unknown, client, false, 404, "There is no such model.")                                  \
  X(model_unreachable, model, true, 500, "The model cannot be reached.")                           \
  X(model_refused, model, false, 500, "The model refused the request.")                            \
  X(model_overloaded, model, true, 500, "The model is overloaded; try again later.")               \
  X(model_failed, model, true, 500, "The model failed.")                                           \
  X(model_answer_invalid, model, true, 500, "The model sent an answer that cannot be read.")       \
  X(model_stream_cut, model, true, 500, "The model's answer broke off.")                           \
  X(model_timeout, model, true, 500, "The model did not answer in time.")                          \
  X(tool_unknown, model, false, 404, "The model asked for a tool that does not exist.")            \
  X(tool_arguments_invalid, model, false, 400, "The model called a tool with invalid arguments.")  \
  X(tool_failed, tool, false, 502, "The tool reported an error.")                                  \
  X(tool_timeout, tool, true, 504, "The tool did not answer in time.")                             \
  X(tool_cancelled, client, false, 500, "The tool call was cancelled.")                            \
  X(server_unavailable, tool, true, 503, "The MCP server is not connected.")                       \
  X(server_lost, tool, true, 502, "The connection to the MCP server was lost.")                    \
  X(server_protocol, tool, false, 502, "The MCP server broke the protocol.")                       \
  X(server_start_failed, operator_, false, 502, "The MCP server cannot be started.")               \
  X(aborted, client, false, 500, "The turn was aborted.")                                          \
  X(connect_failed, operator_, true, 500, "The connection could not be opened.")                   \
  X(connection_cut, operator_, true, 500, "The connection broke off.")                             \
  X(deadline_exceeded, operator_, true, 500, "A deadline passed.")                                 \
  X(config_invalid, operator_, false, 400, "The configuration is not valid.")                      \
  X(address_unavailable, operator_, false, 500, "The address cannot be listened on.")              \
  X(not_found, client, false, 404, "There is nothing at this address.")                            \
  X(method_not_allowed, client, false, 405, "This address takes another method.")                  \
  X(internal, engine, true, 500, "Something went wrong inside the server.")                        \
  X(server_unknown, client, false, 404, "There is no such MCP server.")                            \
  X(server_refused, tool, false, 502, "The MCP server refused the request.")                       \
  X(server_session_lost, tool, true, 502, "The MCP server forgot the session.")                    \
  X(outcome_unknown, tool, false, 502,                                                             \
    "The connection was lost; the tool may or may not have run.")                                  \
  X(capability_missing, tool, false, 501, "The MCP server does not offer this.")                   \
  X(tool_result_invalid, tool, false, 502, "The tool's result does not match its schema.")         \
  X(request_declined, client, false, 500, "The client declined the server's request.")             \
  X(too_many_connections, operator_, true, 503, "The server is at its limit of connections.")      \
  X(connect_timeout, operator_, true, 500, "The connection could not be opened in time.")          \
  X(model_first_token_timeout, model, true, 500, "The model did not begin to answer in time.")     \
  X(model_idle_timeout, model, true, 500, "The model stopped in mid-answer.")                      \
  X(model_busy, model, true, 500, "Too many requests wait for the model; try again later.")        \
  X(tool_denied, client, false, 500, "The tool call was not approved.")                            \
  X(tool_calls_repeated, model, false, 500, "The model repeats the same tool call.")               \
  X(too_many_tool_calls, model, false, 500, "The model asked for too many tool calls at once.")    \
  X(turn_limit_reached, operator_, false, 500, "The turn reached its limit.")                      \
  X(turn_not_running, client, false, 500, "Nothing is running in this chat.")                      \
  X(prompt_failed, tool, false, 500, "The prompt cannot be used.")                                 \
  X(store_full, operator_, true, 503, "There is no space left to keep this chat.")                 \
  X(store_read_only, operator_, true, 503, "The place where chats are kept cannot be written to.") \
  X(store_locked, operator_, true, 503, "The place where chats are kept is in use.")               \
  X(store_damaged, operator_, false, 503, "The place where chats are kept is damaged.")            \
  X(store_newer, operator_, false, 500, "The chats were kept by a newer version of this program.") \
  X(store_failed, operator_, true, 503, "This chat cannot be kept.")                               \
  X(store_timeout, operator_, true, 503, "This chat could not be kept in time.")                   \
  X(conversation_unknown, client, false, 404, "There is no such conversation.")                    \
  X(conversation_changed, client, false, 412, "The conversation was changed in the meantime.")     \
  X(conversation_exists, client, false, 409, "There is such a conversation already.")              \
  X(unauthorized, client, false, 401, "A valid API key is needed.")                                \
  X(forbidden, client, false, 403, "This API key does not allow that.")                            \
  X(rate_limited, client, true, 429, "Too many requests; try again shortly.")                      \
  X(too_many_turns, client, true, 429,                                                             \
    "Too many chats are answering at once; wait for one of them.")                                 \
  X(server_restarted, operator_, true, 500, "The server was restarted while it answered.")         \
  X(origin_refused, client, false, 403, "Pages of this origin may not use this server.")           \
  X(encoding_unsupported, client, false, 415,                                                      \
    "The request's body has an encoding that is not read.")                                        \
  X(model_request_invalid, client, false, 400, "The model cannot take this request.")              \
  X(model_rate_limited, model, true, 500, "The model gets too many requests; try again later.")    \
  X(model_quota_exhausted, operator_, false, 500,                                                  \
    "The quota or the balance for the model is used up.")                                          \
  X(quota_used_up, client, false, 507,                                                             \
    "All that may be kept is used up; delete conversations first.")                                \
  X(turn_lost, operator_, true, 503, "Another server has taken this chat over; load it again.")    \
  X(file_unknown, client, false, 404, "There is no such file; upload it again.")                   \
  X(store_unreachable, operator_, true, 503,                                                       \
    "The server has lost its database; try again shortly.")                                        \
  X(not_owner, operator_, true, 421, "This server does not run the turn; try again shortly.")      \
  X(owner_unreachable, operator_, true, 503, "The server that runs this chat does not answer.")

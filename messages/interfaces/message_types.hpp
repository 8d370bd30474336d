// THE list of the types that travel between actors. A new one goes to the end: its number is part
// of what nodes say to each other.
#pragma once

#include <caf/deserializer.hpp>
#include <caf/detail/stringification_inspector.hpp>
#include <caf/error.hpp>
#include <caf/serializer.hpp>

#include "messages/chat/events.hpp"
#include "messages/chat/turn_messages.hpp"
#include "messages/errors.hpp"
#include "messages/mcp/mcp_channel.hpp"
#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/resource_messages.hpp"
#include "messages/mcp/server_messages.hpp"
#include "messages/mcp/server_status.hpp"
#include "messages/mcp/tool_messages.hpp"
#include "messages/store/api_key.hpp"
#include "messages/store/conversation_change.hpp"
#include "messages/store/conversation_messages.hpp"
#include "messages/store/store_messages.hpp"
#include "messages/store/store_status.hpp"
#include "messages/store/usage_messages.hpp"

#define TROUPE_MESSAGE_TYPES(TYPE)                                                                 \
  TYPE(http_part)                                                                                  \
  TYPE(mcp_inbound)                                                                                \
  TYPE(event_batch)                                                                                \
  TYPE(start_turn)                                                                                 \
  TYPE(turn_refused)                                                                               \
  TYPE(abort_turn)                                                                                 \
  TYPE(grant_credit)                                                                               \
  TYPE(model_output)                                                                               \
  TYPE(flow_control)                                                                               \
  TYPE(turn_ended)                                                                                 \
  TYPE(client_signal)                                                                              \
  TYPE(session_counts)                                                                             \
  TYPE(list_tools)                                                                                 \
  TYPE(tool_snapshot)                                                                              \
  TYPE(call_tool)                                                                                  \
  TYPE(cancel_call)                                                                                \
  TYPE(tool_outcome)                                                                               \
  TYPE(tool_progress)                                                                              \
  TYPE(server_status)                                                                              \
  TYPE(server_list)                                                                                \
  TYPE(server_call)                                                                                \
  TYPE(server_cancel)                                                                              \
  TYPE(server_outcome)                                                                             \
  TYPE(server_progress)                                                                            \
  TYPE(failure)                                                                                    \
  TYPE(server_ask)                                                                                 \
  TYPE(server_ask_over)                                                                            \
  TYPE(server_reply)                                                                               \
  TYPE(mcp_ask)                                                                                    \
  TYPE(mcp_answer)                                                                                 \
  TYPE(put_server)                                                                                 \
  TYPE(change_server)                                                                              \
  TYPE(watch_mcp)                                                                                  \
  TYPE(mcp_event)                                                                                  \
  TYPE(client_ask)                                                                                 \
  TYPE(client_answer)                                                                              \
  TYPE(read_resource)                                                                              \
  TYPE(forget_resources)                                                                           \
  TYPE(attachment)                                                                                 \
  TYPE(add_attachment)                                                                             \
  TYPE(remove_attachment)                                                                          \
  TYPE(list_attachments)                                                                           \
  TYPE(attachment_list)                                                                            \
  TYPE(attachment_news)                                                                            \
  TYPE(watch_turn)                                                                                 \
  TYPE(leave_turn)                                                                                 \
  TYPE(answer_approvals)                                                                           \
  TYPE(acquire_slot)                                                                               \
  TYPE(slot_answer)                                                                                \
  TYPE(release_slot)                                                                               \
  TYPE(turn_report)                                                                                \
  TYPE(load_chat)                                                                                  \
  TYPE(chat_record)                                                                                \
  TYPE(save_chat)                                                                                  \
  TYPE(save_answer)                                                                                \
  TYPE(setting)                                                                                    \
  TYPE(list_settings)                                                                              \
  TYPE(setting_list)                                                                               \
  TYPE(api_key)                                                                                    \
  TYPE(list_keys)                                                                                  \
  TYPE(key_list)                                                                                   \
  TYPE(store_status)                                                                               \
  TYPE(list_conversations)                                                                         \
  TYPE(conversation_page)                                                                          \
  TYPE(search_conversations)                                                                       \
  TYPE(search_page)                                                                                \
  TYPE(get_conversation)                                                                           \
  TYPE(conversation_answer)                                                                        \
  TYPE(change_conversation)                                                                        \
  TYPE(info_answer)                                                                                \
  TYPE(usage_query)                                                                                \
  TYPE(usage_table)                                                                                \
  TYPE(end_session)                                                                                \
  TYPE(chat_saved)                                                                                 \
  TYPE(expire_refused)                                                                             \
  TYPE(import_file)                                                                                \
  TYPE(unseen_rounds)                                                                              \
  TYPE(server_note)                                                                                \
  TYPE(sampling_report)

namespace troupe {

// Serialization and printing, defined in message_types.cpp: made in each file that sends a message,
// they cost a quarter of its compilation.
#define TROUPE_DECLARE_INSPECT(type)                                                               \
  caf::error inspect(caf::serializer& to, type& value);                                            \
  caf::error inspect(caf::deserializer& from, type& value);                                        \
  void inspect(caf::detail::stringification_inspector& to, type& value);
TROUPE_MESSAGE_TYPES(TROUPE_DECLARE_INSPECT)
#undef TROUPE_DECLARE_INSPECT

} // namespace troupe

// The type-ID block: every type that travels between actors, and the atoms.
#pragma once

#include <caf/error.hpp>
#include <caf/type_id.hpp>

#include "messages/chat/events.hpp"
#include "messages/chat/turn_messages.hpp"
#include "messages/errors.hpp"
#include "messages/inspect.hpp"
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

CAF_BEGIN_TYPE_ID_BLOCK(troupe, caf::first_custom_type_id)

CAF_ADD_TYPE_ID(troupe, (troupe::http_part))
CAF_ADD_TYPE_ID(troupe, (troupe::mcp_inbound))
CAF_ADD_TYPE_ID(troupe, (troupe::event_batch))
CAF_ADD_TYPE_ID(troupe, (troupe::start_turn))
CAF_ADD_TYPE_ID(troupe, (troupe::turn_refused))
CAF_ADD_TYPE_ID(troupe, (troupe::abort_turn))
CAF_ADD_TYPE_ID(troupe, (troupe::grant_credit))
CAF_ADD_TYPE_ID(troupe, (troupe::model_output))
CAF_ADD_TYPE_ID(troupe, (troupe::flow_control))
CAF_ADD_TYPE_ID(troupe, (troupe::turn_ended))
CAF_ADD_TYPE_ID(troupe, (troupe::client_signal))
CAF_ADD_TYPE_ID(troupe, (troupe::session_counts))
CAF_ADD_TYPE_ID(troupe, (troupe::list_tools))
CAF_ADD_TYPE_ID(troupe, (troupe::tool_snapshot))
CAF_ADD_TYPE_ID(troupe, (troupe::call_tool))
CAF_ADD_TYPE_ID(troupe, (troupe::cancel_call))
CAF_ADD_TYPE_ID(troupe, (troupe::tool_outcome))
CAF_ADD_TYPE_ID(troupe, (troupe::tool_progress))
CAF_ADD_TYPE_ID(troupe, (troupe::server_status))
CAF_ADD_TYPE_ID(troupe, (troupe::server_list))
CAF_ADD_TYPE_ID(troupe, (troupe::server_call))
CAF_ADD_TYPE_ID(troupe, (troupe::server_cancel))
CAF_ADD_TYPE_ID(troupe, (troupe::server_outcome))
CAF_ADD_TYPE_ID(troupe, (troupe::server_progress))
CAF_ADD_TYPE_ID(troupe, (troupe::failure))
CAF_ADD_TYPE_ID(troupe, (troupe::server_ask))
CAF_ADD_TYPE_ID(troupe, (troupe::server_ask_over))
CAF_ADD_TYPE_ID(troupe, (troupe::server_reply))
CAF_ADD_TYPE_ID(troupe, (troupe::mcp_ask))
CAF_ADD_TYPE_ID(troupe, (troupe::mcp_answer))
CAF_ADD_TYPE_ID(troupe, (troupe::put_server))
CAF_ADD_TYPE_ID(troupe, (troupe::change_server))
CAF_ADD_TYPE_ID(troupe, (troupe::watch_mcp))
CAF_ADD_TYPE_ID(troupe, (troupe::mcp_event))
CAF_ADD_TYPE_ID(troupe, (troupe::client_ask))
CAF_ADD_TYPE_ID(troupe, (troupe::client_answer))
CAF_ADD_TYPE_ID(troupe, (troupe::read_resource))
CAF_ADD_TYPE_ID(troupe, (troupe::forget_resources))
CAF_ADD_TYPE_ID(troupe, (troupe::attachment))
CAF_ADD_TYPE_ID(troupe, (troupe::add_attachment))
CAF_ADD_TYPE_ID(troupe, (troupe::remove_attachment))
CAF_ADD_TYPE_ID(troupe, (troupe::list_attachments))
CAF_ADD_TYPE_ID(troupe, (troupe::attachment_list))
CAF_ADD_TYPE_ID(troupe, (troupe::attachment_news))
CAF_ADD_TYPE_ID(troupe, (troupe::watch_turn))
CAF_ADD_TYPE_ID(troupe, (troupe::leave_turn))
CAF_ADD_TYPE_ID(troupe, (troupe::answer_approvals))
CAF_ADD_TYPE_ID(troupe, (troupe::acquire_slot))
CAF_ADD_TYPE_ID(troupe, (troupe::slot_answer))
CAF_ADD_TYPE_ID(troupe, (troupe::release_slot))
CAF_ADD_TYPE_ID(troupe, (troupe::turn_report))

CAF_ADD_TYPE_ID(troupe, (troupe::load_chat))
CAF_ADD_TYPE_ID(troupe, (troupe::chat_record))
CAF_ADD_TYPE_ID(troupe, (troupe::save_chat))
CAF_ADD_TYPE_ID(troupe, (troupe::save_answer))
CAF_ADD_TYPE_ID(troupe, (troupe::setting))
CAF_ADD_TYPE_ID(troupe, (troupe::list_settings))
CAF_ADD_TYPE_ID(troupe, (troupe::setting_list))
CAF_ADD_TYPE_ID(troupe, (troupe::api_key))
CAF_ADD_TYPE_ID(troupe, (troupe::list_keys))
CAF_ADD_TYPE_ID(troupe, (troupe::key_list))
CAF_ADD_TYPE_ID(troupe, (troupe::store_status))
CAF_ADD_TYPE_ID(troupe, (troupe::list_conversations))
CAF_ADD_TYPE_ID(troupe, (troupe::conversation_page))
CAF_ADD_TYPE_ID(troupe, (troupe::search_conversations))
CAF_ADD_TYPE_ID(troupe, (troupe::search_page))
CAF_ADD_TYPE_ID(troupe, (troupe::get_conversation))
CAF_ADD_TYPE_ID(troupe, (troupe::conversation_answer))
CAF_ADD_TYPE_ID(troupe, (troupe::change_conversation))
CAF_ADD_TYPE_ID(troupe, (troupe::info_answer))
CAF_ADD_TYPE_ID(troupe, (troupe::usage_query))
CAF_ADD_TYPE_ID(troupe, (troupe::usage_table))
CAF_ADD_TYPE_ID(troupe, (troupe::end_session))

CAF_ADD_ATOM(troupe, troupe::atom, tick, "tick")
CAF_ADD_ATOM(troupe, troupe::atom, drain, "drain")
CAF_ADD_ATOM(troupe, troupe::atom, expire, "expire")
CAF_ADD_ATOM(troupe, troupe::atom, done, "done")
CAF_ADD_ATOM(troupe, troupe::atom, status, "status")
CAF_ADD_ATOM(troupe, troupe::atom, restart, "restart")
CAF_ADD_ATOM(troupe, troupe::atom, reconnect, "reconnect")
CAF_ADD_ATOM(troupe, troupe::atom, disconnect, "disconnect")
CAF_ADD_ATOM(troupe, troupe::atom, settled, "settled")
CAF_ADD_ATOM(troupe, troupe::atom, clear, "clear")
CAF_ADD_ATOM(troupe, troupe::atom, commit, "commit")
CAF_ADD_ATOM(troupe, troupe::atom, save, "save")
CAF_ADD_ATOM(troupe, troupe::atom, listed, "listed")
CAF_ADD_TYPE_ID(troupe, (troupe::chat_saved))
CAF_ADD_TYPE_ID(troupe, (troupe::expire_refused))
CAF_ADD_TYPE_ID(troupe, (troupe::fallback_due))

CAF_END_TYPE_ID_BLOCK(troupe)

CAF_ERROR_CODE_ENUM(troupe::errc, "troupe")

// The tool calls of a UI message stream.
#include "messages/wire/clients/ui/ui_message_writer.hpp"
#include "messages/wire/json/json_slice.hpp"

#include <algorithm>

namespace troupe {

auto ui_message_stream::writer::find_call(std::string_view id) -> call* {
  auto& calls = self_.calls_;
  auto at = std::find_if(calls.begin(), calls.end(), [&](const call& c) { return c.id == id; });
  return at == calls.end() ? nullptr : &*at;
}

auto ui_message_stream::writer::open_call(std::string_view id) -> call* {
  auto* which = find_call(id);
  return which && !which->ended ? which : nullptr;
}

auto ui_message_stream::writer::call_of(const std::string& id, const std::string& name,
                                        bool client_side) -> call& {
  close_part();
  ensure_step();
  if (auto* known = find_call(id))
    return *known;
  return self_.calls_.emplace_back(call{id, name, client_side});
}

/// Registers a call of the message that the turn continues; only before the first model request.
/// Its output belongs to a step that the client has, so none is begun for it.
void ui_message_stream::writer::continued_call(const std::string& id, const std::string& name) {
  if (self_.asked_model_ || find_call(id))
    return;
  ensure_started();
  auto& known = self_.calls_.emplace_back(call{id, name, false});
  known.available = true;
  known.continued = true;
}

void ui_message_stream::writer::output_error(call& which, std::string_view text) {
  which.ended = true;
  begin("tool-output-error");
  member("toolCallId", which.id);
  member("errorText", text);
  if (!which.client_side)
    raw(R"(,"dynamic":true)");
  end();
}

/// Adds the label of a tool; the first versions of version 5 do not know the key.
void ui_message_stream::writer::title(std::string_view text) {
  if (!text.empty() && reads(ui_profile::v6))
    member("title", text);
}

/// The user refused the call, or did not answer in time.
void ui_message_stream::writer::output_denied(call& which) {
  which.ended = true;
  begin("tool-output-denied");
  member("toolCallId", which.id);
  end();
}

/// Gives an output to every call that has none.
/// @param also_offered also to calls that the client can still run or decide about
void ui_message_stream::writer::close_calls(std::string_view text, bool also_offered) {
  for (auto& each : self_.calls_) {
    auto offered = (each.client_side || each.asked) && each.available;
    if (!each.ended && (also_offered || !offered))
      output_error(each, text);
  }
}

void ui_message_stream::writer::operator()(const tool_args_start& what) {
  auto& which = call_of(what.tool_call_id, what.tool_name, what.client_side);
  if (which.started || which.available || which.ended)
    return;
  which.started = true;
  begin("tool-input-start");
  member("toolCallId", which.id);
  member("toolName", which.name);
  title(what.title);
  if (!which.client_side)
    raw(R"(,"dynamic":true)");
  end();
}

void ui_message_stream::writer::operator()(const tool_args_delta& what) {
  auto* which = open_call(what.tool_call_id);
  if (!which || !which->started || which->available || what.delta.empty())
    return;
  begin("tool-input-delta");
  member("toolCallId", which->id);
  member("inputTextDelta", what.delta);
  end();
}

void ui_message_stream::writer::operator()(const tool_args_complete& what) {
  auto& which = call_of(what.tool_call_id, what.tool_name, what.client_side);
  if (which.available || which.ended)
    return;
  if (what.error != errc::none && reads(ui_profile::v6))
    return input_error(which, what);
  which.available = true;
  begin("tool-input-available");
  member("toolCallId", which.id);
  member("toolName", which.name);
  json_member("input", what.arguments);
  if (!what.provider_metadata.text.empty())
    json_member("providerMetadata", what.provider_metadata);
  title(what.title);
  if (!which.client_side)
    raw(R"(,"dynamic":true)");
  end();
  if (what.error != errc::none)
    output_error(which, text_or(what.error_text, what.error));
}

void ui_message_stream::writer::input_error(call& which, const tool_args_complete& what) {
  which.ended = true;
  begin("tool-input-error");
  member("toolCallId", which.id);
  member("toolName", which.name);
  json_member("input", what.arguments);
  member("errorText", text_or(what.error_text, what.error));
  title(what.title);
  if (!which.client_side)
    raw(R"(,"dynamic":true)");
  end();
}

/// The part shows "input-available" until it has an output.
void ui_message_stream::writer::operator()(const mcp_tool_start& what) {
  continued_call(what.tool_call_id, what.tool_name);
}

void ui_message_stream::writer::operator()(const mcp_tool_progress& what) {
  if (!open_call(what.tool_call_id))
    return;
  begin("data-mcp-progress");
  raw(R"(,"data":{"toolCallId":)");
  append_json(out_, what.tool_call_id);
  raw(R"(,"progress":)");
  append_json(out_, what.progress);
  if (what.total > 0) {
    raw(R"(,"total":)");
    append_json(out_, what.total);
  }
  if (!what.message.empty())
    member("message", what.message);
  raw(R"(},"transient":true)");
  end();
}

void ui_message_stream::writer::operator()(const tool_approval_request& what) {
  auto* which = open_call(what.tool_call_id);
  if (!which || !which->available || which->asked || which->continued)
    return;
  which->asked = true;
  if (reads(ui_profile::v6)) {
    begin("tool-approval-request");
    member("approvalId", what.approval_id);
    member("toolCallId", what.tool_call_id);
    return end();
  }
  begin("data-tool-approval-request");
  raw(R"(,"data":{"toolName":)");
  append_json(out_, which->name);
  member("approvalId", what.approval_id);
  member("toolCallId", what.tool_call_id);
  raw("}");
  end();
}

void ui_message_stream::writer::operator()(const mcp_client_request& what) {
  begin("data-mcp-request");
  raw(R"(,"data":)");
  auto from = out_.size();
  append_json(out_, what);
  keep_on_one_line(out_, from); // params are as the server sent them
  raw(R"(,"transient":true)");
  end();
}

void ui_message_stream::writer::operator()(const mcp_tool_success& what) {
  continued_call(what.tool_call_id, what.tool_name);
  auto* which = open_call(what.tool_call_id);
  if (!which || !which->available)
    return;
  which->ended = true;
  begin("tool-output-available");
  member("toolCallId", which->id);
  json_member("output", what.result);
  if (!which->client_side)
    raw(R"(,"dynamic":true)");
  end();
}

void ui_message_stream::writer::operator()(const mcp_tool_error& what) {
  continued_call(what.tool_call_id, what.tool_name);
  auto* which = open_call(what.tool_call_id);
  if (!which)
    return;
  if (what.error == errc::tool_denied && which->available && reads(ui_profile::v6))
    return output_denied(*which);
  output_error(*which, text_or(what.error_text, what.error));
}

} // namespace troupe

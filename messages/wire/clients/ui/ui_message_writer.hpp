// Writes the frames of ui_message_stream; internal to its two source files.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "messages/wire/clients/ui/ui_message_stream.hpp"

namespace troupe {

// The behaviour of clients decides the shape of the stream (AI SDK, processUIMessageStream and
// lastAssistantMessageIsCompleteWithToolCalls):
//   - a key that is null fails the whole stream, so optional keys are left out;
//   - the client sends a turn again, for ever, if its last step holds only finished tool calls:
//     such a turn gets one more step with a data part, and every finish carries metadata;
//   - an output for an unknown call fails the stream and is dropped; outputs before the first model
//     request belong to calls of the message that the turn continues;
//   - the client reads nothing after `error`; later chunks are for consumers on a server.
/// Writes the frames; lives for one encode().
class ui_message_stream::writer {
public:
  writer(ui_message_stream& self, json_buffer& out) : self_{self}, out_{out} {}

  void operator()(const session_start& what);
  void operator()(const model_response_waiting& what);
  void operator()(const text_delta& what) { delta(part::text, what.text); }
  void operator()(const reasoning_delta& what) { delta(part::reasoning, what.text); }
  void operator()(const tool_args_start& what);
  void operator()(const tool_args_delta& what);
  void operator()(const tool_args_complete& what);
  void operator()(const mcp_tool_start& what);
  void operator()(const mcp_tool_progress& what);
  void operator()(const mcp_tool_success& what);
  void operator()(const mcp_tool_error& what);
  void operator()(const model_generation_stop&) {} // SESSION_END has the same facts
  void operator()(const session_end& what);
  void operator()(const session_error& what);
  void operator()(const abort_event& what);
  void operator()(const mcp_client_request& what);
  void operator()(const tool_approval_request& what);

private:
  /// The same as append_raw, but faster for many short pieces.
  void raw(std::string_view text) {
    auto before = out_.size();
    out_.resize(before + text.size());
    std::memcpy(out_.data() + before, text.data(), text.size());
  }
  void frame(std::string_view json);
  void begin(std::string_view type);
  void member(std::string_view name, std::string_view value);
  void json_member(std::string_view name, const raw_json& value);
  void end() { raw("}\n\n"); }

  void delta(part kind, std::string_view text);
  void open_part(part kind);
  void close_part();
  void part_frame(std::string_view verb);
  void ensure_started();
  void ensure_step();
  void close_step();
  void metadata(const session_end& what);
  void end_with_data_step(std::string_view json);
  call* find_call(std::string_view id);
  call* open_call(std::string_view id);
  call& call_of(const std::string& id, const std::string& name, bool client_side);
  void continued_call(const std::string& id, const std::string& name);
  void input_error(call& which, const tool_args_complete& what);
  void output_error(call& which, std::string_view text);
  void output_denied(call& which);
  void title(std::string_view text);
  void close_calls(std::string_view text, bool also_offered);
  bool reads(ui_profile least) const { return self_.profile_ >= least; }
  void done();

  static std::string_view text_or(const std::string& text, errc code) {
    return text.empty() ? user_text(code) : std::string_view{text};
  }

  ui_message_stream& self_;
  json_buffer& out_;
};

} // namespace troupe

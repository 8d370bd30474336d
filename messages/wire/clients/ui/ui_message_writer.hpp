// What ui_message_stream writes, frame by frame; internal to its two source files.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "messages/wire/clients/ui/ui_message_stream.hpp"

namespace troupe {

// What a client makes of the stream decides its shape (AI SDK, processUIMessageStream and
// lastAssistantMessageIsCompleteWithToolCalls):
//   - a key that is null fails the whole stream, so optional keys are left out;
//   - a turn whose last step holds only finished tool calls is sent again by the client, for ever;
//   so
//     such a turn gets one more step with a data part, and every finish carries metadata;
//   - an output for a call that the client does not know fails the stream, so it is dropped; what
//     comes before the first model request is about calls of the message that the turn continues;
//   - nothing after `error` is read by the client; what follows is for consumers on a server.
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
  void operator()(const model_generation_stop&) {} // SESSION_END says it all
  void operator()(const session_end& what);
  void operator()(const session_error& what);
  void operator()(const abort_event& what);
  void operator()(const mcp_client_request& what);
  void operator()(const tool_approval_request& what);

private:
  /// As append_raw, for the short pieces of which there are many.
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

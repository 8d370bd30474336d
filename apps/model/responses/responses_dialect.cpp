#include "apps/model/responses/responses_dialect.hpp"

#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apps/model/chat/chat_error.hpp"
#include "apps/model/dialect/seal.hpp"
#include "apps/model/responses/responses_request.hpp"
#include "apps/model/script/tokens.hpp"

namespace troupe::scripted {

// -- responses items ------------------------------------------------------------------------------

namespace {

constexpr std::string_view reasoning_item_id = "rs_troupe";

constexpr std::string_view message_item_id = "msg_troupe";

constexpr size_t prompt_tokens = 10;

std::string_view status_word(bool done) {
  return done ? "completed" : "in_progress";
}

void append_responses_usage(json_buffer& out, const answer& what, size_t tokens) {
  if (tokens == 0)
    return append_raw(out, "null");
  fmt::format_to(std::back_inserter(out),
                 R"({{"input_tokens":{},"input_tokens_details":{{"cached_tokens":0}},)"
                 R"("output_tokens":{},"output_tokens_details":{{"reasoning_tokens":{}}},)"
                 R"("total_tokens":{}}})",
                 prompt_tokens, tokens, count_tokens(what.reasoning), prompt_tokens + tokens);
}

std::string error_member(const answer& what, std::string_view status) {
  if (status != "failed")
    return "null";
  const auto error = openai_error_of(what.refused);
  return fmt::format(R"({{"code":{},"message":{}}})",
                     to_json(error.code.empty() ? std::string_view{"server_error"} : error.code),
                     to_json(error.message));
}

std::string_view incomplete_member(const answer& what, std::string_view status) {
  if (status != "incomplete")
    return "null";
  return what.finish == "length" ? R"({"reason":"max_output_tokens"})"
                                 : R"({"reason":"content_filter"})";
}

/// Returns the id of the item of a call. It holds call and tool, because a request may name the
/// item by its id alone: "fc_call_000001.echo".
std::string call_item_id(const tool_call& call) {
  return fmt::format("fc_{}.{}", call.id, call.name);
}

/// The items; @param done with all that they hold, and not as they begin
std::string reasoning_item(const answer& what, bool done) {
  return fmt::format(
      R"({{"id":"{}","type":"reasoning","summary":[{}],"encrypted_content":{}}})",
      reasoning_item_id,
      done ? fmt::format(R"({{"type":"summary_text","text":{}}})", to_json(what.reasoning)) : "",
      to_json(done ? seal_of(what.reasoning) : std::string{"c2VhbGVkLWxhdGVy"}));
}

/// Returns a part of a message: {"type":"output_text",...}.
std::string text_part(std::string_view text) {
  return fmt::format(R"({{"type":"output_text","annotations":[],"logprobs":[],"text":{}}})",
                     to_json(text));
}

std::string message_item(const answer& what, bool done) {
  return fmt::format(R"({{"id":"{}","type":"message","status":"{}","role":"assistant",)"
                     R"("content":[{}]}})",
                     message_item_id, status_word(done), done ? text_part(text_of(what)) : "");
}

std::string call_item(const tool_call& call, bool done) {
  return fmt::format(R"({{"id":{},"type":"function_call","status":"{}","arguments":{},)"
                     R"("call_id":{},"name":{}}})",
                     to_json(call_item_id(call)), status_word(done),
                     to_json(done ? std::string_view{call.arguments} : std::string_view{}),
                     to_json(call.id), to_json(call.name));
}

/// Returns the object of an answer.
/// @param status "in_progress", "completed", "incomplete", "failed"
/// @param output JSON array @param tokens 0 with in_progress: usage is null
std::string response_object(const answer& what, const chat_call& call, std::string_view status,
                            std::string_view output, size_t tokens) {
  json_buffer out;
  append_raw(out, R"({"id":"resp_troupe","object":"response","created_at":1735689600,"status":)");
  append_json(out, status);
  append_raw(out, R"(,"background":false,"error":)");
  append_raw(out, error_member(what, status));
  append_raw(out, R"(,"incomplete_details":)");
  append_raw(out, incomplete_member(what, status));
  append_raw(out, R"(,"instructions":null,"max_output_tokens":null,"model":)");
  append_json(out, call.model);
  append_raw(out, R"(,"output":)");
  append_raw(out, output);
  append_raw(out, R"(,"parallel_tool_calls":true,"previous_response_id":null,)"
                  R"("reasoning":{"effort":null,"summary":null},"store":false,"temperature":1.0,)"
                  R"("text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],)"
                  R"("top_p":1.0,"truncation":"disabled","usage":)");
  append_responses_usage(out, what, tokens);
  append_raw(out, R"(,"user":null,"metadata":{}})");
  return std::string{view(out)};
}

/// Returns the status that the answer ends with.
std::string_view response_status(const answer& what) {
  return what.finish == "length" || what.finish == "content_filter" ? "incomplete" : "completed";
}

/// Returns all items, as a JSON array.
std::string output_of(const answer& what) {
  std::string list;
  const auto add = [&list](const std::string& item) { list += (list.empty() ? "" : ",") + item; };
  if (!what.reasoning.empty())
    add(reasoning_item(what, true));
  if (!what.text.empty())
    add(message_item(what, true));
  for (const auto& each : what.calls)
    add(call_item(each, true));
  return "[" + list + "]";
}

/// dialect::whole.
std::string responses_body(const answer& what, const chat_call& call) {
  const auto tokens = tokens_of(what);
  return response_object(what, call, response_status(what), output_of(what),
                         tokens == 0 ? 1 : tokens);
}

// -- responses frames -----------------------------------------------------------------------------

/// Writes the events. An item ends where another begins.
class responses_writer final : public frame_writer {
public:
  responses_writer(const answer& what, const chat_call& call) : what_{what}, call_{call} {}

  void begin(json_buffer& out) override {
    const auto started = response_object(what_, call_, "in_progress", "[]", 0);
    event(out, "response.created", R"("response":)" + started);
    event(out, "response.in_progress", R"("response":)" + started);
  }

  void reasoning(json_buffer& out, std::string_view token) override {
    if (open_ != item::reasoning) {
      open(out, item::reasoning, reasoning_item(what_, false));
      event(out, "response.reasoning_summary_part.added",
            summary_place() + R"(,"part":{"type":"summary_text","text":""})");
    }
    event(out, "response.reasoning_summary_text.delta",
          summary_place() + R"(,"delta":)" + to_json(token));
  }

  void text(json_buffer& out, std::string_view token) override {
    if (open_ != item::message) {
      open(out, item::message, message_item(what_, false));
      event(out, "response.content_part.added", text_place() + R"(,"part":)" + text_part(""));
    }
    event(out, "response.output_text.delta",
          text_place() + R"(,"logprobs":[],"delta":)" + to_json(token));
  }

  void call(json_buffer& out, size_t index) override {
    close(out);
    called_ = index;
    open(out, item::call, call_item(what_.calls[index], false));
  }

  void arguments(json_buffer& out, size_t, std::string_view token) override {
    event(out, "response.function_call_arguments.delta",
          place(call_item_id(what_.calls[called_])) + R"(,"delta":)" + to_json(token));
  }

  void end(json_buffer& out, size_t tokens) override {
    close(out);
    const auto status = response_status(what_);
    event(out, fmt::format("response.{}", status),
          R"("response":)" +
              response_object(what_, call_, status, output_of(what_), tokens == 0 ? 1 : tokens));
  }

  void fail(json_buffer& out, const refusal& why) override {
    const auto error = openai_error_of(why);
    json_buffer nested;
    append_openai_error(nested, error);
    event(out, "error", fmt::format(R"("error":{})", view(nested)));
    event(out, "response.failed",
          R"("response":)" + response_object(what_, call_, "failed", "[]", 0));
  }

private:
  enum class item : uint8_t { none, reasoning, message, call };

  void event(json_buffer& out, std::string_view type, std::string_view members) {
    fmt::format_to(std::back_inserter(out),
                   "event: {}\ndata: {{\"type\":\"{}\",\"sequence_number\":{},{}}}\n\n", type, type,
                   sequence_++, members);
  }

  void open(json_buffer& out, item kind, const std::string& begun) {
    close(out);
    open_ = kind;
    event(out, "response.output_item.added",
          fmt::format(R"("output_index":{},"item":{})", index_, begun));
  }

  std::string place(std::string_view id) const {
    return fmt::format(R"("item_id":{},"output_index":{})", to_json(id), index_);
  }

  std::string summary_place() const { return place(reasoning_item_id) + R"(,"summary_index":0)"; }
  std::string text_place() const { return place(message_item_id) + R"(,"content_index":0)"; }

  void close_reasoning(json_buffer& out) {
    const auto text = to_json(what_.reasoning);
    event(out, "response.reasoning_summary_text.done", summary_place() + R"(,"text":)" + text);
    event(out, "response.reasoning_summary_part.done",
          summary_place() + R"(,"part":{"type":"summary_text","text":)" + text + "}");
  }

  void close_message(json_buffer& out) {
    const auto text = text_of(what_);
    event(out, "response.output_text.done",
          text_place() + R"(,"logprobs":[],"text":)" + to_json(text));
    event(out, "response.content_part.done", text_place() + R"(,"part":)" + text_part(text));
  }

  void close_call(json_buffer& out) {
    const auto& called = what_.calls[called_];
    event(out, "response.function_call_arguments.done",
          place(call_item_id(called)) + R"(,"name":)" + to_json(called.name) + R"(,"arguments":)" +
              to_json(called.arguments));
  }

  void close(json_buffer& out) {
    std::string done;
    switch (open_) {
    case item::none:
      return;
    case item::reasoning:
      close_reasoning(out);
      done = reasoning_item(what_, true);
      break;
    case item::message:
      close_message(out);
      done = message_item(what_, true);
      break;
    case item::call:
      close_call(out);
      done = call_item(what_.calls[called_], true);
      break;
    }
    event(out, "response.output_item.done",
          fmt::format(R"("output_index":{},"item":{})", index_, done));
    ++index_;
    open_ = item::none;
  }

  const answer& what_;
  const chat_call call_;
  size_t sequence_ = 0;
  size_t index_ = 0;  ///< of the item
  size_t called_ = 0; ///< index of the call
  item open_ = item::none;
};

/// dialect::frames: response.created, the items one after the other, response.completed,
/// .incomplete or, after an event `error`, .failed.
std::unique_ptr<frame_writer> responses_frames(const answer& what, const chat_call& call) {
  return std::make_unique<responses_writer>(what, call);
}

} // namespace

// -- responses dialect ----------------------------------------------------------------------------

const dialect responses_dialect{
    .check = check_responses,
    .talk = talk_of_responses,
    .frames = responses_frames,
    .whole = responses_body,
    .refuse = refuse_chat,
    .stream_type = "text/event-stream; charset=utf-8",
    .seal_missing = "input: a function_call was provided without its required 'reasoning' item.",
};

} // namespace troupe::scripted

#include "apps/model/responses/responses_frames.hpp"

#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apps/model/chat/chat_error.hpp"
#include "apps/model/responses/responses_items.hpp"

namespace troupe::scripted {

namespace {

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

} // namespace

std::unique_ptr<frame_writer> responses_frames(const answer& what, const chat_call& call) {
  return std::make_unique<responses_writer>(what, call);
}

} // namespace troupe::scripted

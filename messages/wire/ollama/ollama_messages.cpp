#include "messages/wire/ollama/ollama_messages.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "messages/wire/history/content_pieces.hpp"
#include "messages/wire/history/model_file.hpp"
#include "messages/wire/history/request_history.hpp"

namespace troupe {

namespace {

/// A message as Ollama takes it.
struct plain_content {
  std::string text;
  std::vector<std::string> images; ///< base64

  void line(std::string_view more) { text.append(text.empty() ? "" : "\n").append(more); }

  void file(const model_file& file, const message_file& from) {
    if (file.data().empty())
      line(file_note(from) + " (it cannot be fetched from its address)");
    else
      images.emplace_back(file.data());
  }
};

plain_content content_of_user(const chat_message& message, const file_kinds& taken) {
  plain_content made;
  for_each_content_piece(
      message, taken, [&](std::string_view text) { made.line(text); },
      [&](const model_file& file, const message_file& from) { made.file(file, from); });
  return made;
}

bool begins_with_error(std::string_view text) {
  constexpr std::string_view word = "error";
  return text.size() >= word.size() &&
         std::ranges::equal(word, text.substr(0, word.size()), {}, {},
                            [](char c) { return static_cast<char>(c | 0x20); });
}

/// There is no flag for a call that failed, so the text says so.
plain_content content_of_result(const chat_message& message, const file_kinds& taken) {
  plain_content made;
  made.text = text_with_notes(message, taken);
  if (message.failed && !begins_with_error(made.text))
    made.text.insert(0, "Error: ");
  for (const auto& each : message.files) {
    model_file seen;
    read_file(each, taken, seen);
    if (seen.is_taken())
      made.file(seen, each);
  }
  return made;
}

void append_content(json_buffer& out, const plain_content& content) {
  append_json(out, content.text);
  for (size_t i = 0; i < content.images.size(); ++i) {
    append_raw(out, i == 0 ? R"(,"images":[")" : R"(",")");
    append_raw(out, content.images[i]);
  }
  if (!content.images.empty())
    append_raw(out, R"("])");
}

void append_calls(json_buffer& out, const std::vector<tool_call>& calls) {
  append_raw(out, R"(,"tool_calls":[)");
  for (size_t i = 0; i < calls.size(); ++i) {
    append_raw(out, i == 0 ? R"({"id":)" : R"(,{"id":)");
    append_json(out, calls[i].id);
    append_raw(out, R"(,"function":{"name":)");
    append_json(out, calls[i].name);
    append_raw(out, R"(,"arguments":)");
    append_raw(out, calls[i].arguments.empty() ? std::string_view{"{}"} : calls[i].arguments);
    append_raw(out, "}}");
  }
  out.push_back(']');
}

/// Writes the messages of one request.
class message_writer {
public:
  message_writer(json_buffer& out, const model_config& model)
      : out_{out}, taken_{model.images, false}, reasoning_{model.reasoning} {}

  /// @param is_recent no user message comes later
  void append(const chat_message& message, bool is_recent) {
    append_raw(out_, R"({"role":)");
    append_json(out_, message.who);
    append_raw(out_, R"(,"content":)");
    if (message.who == role::assistant)
      append_answer(message, is_recent);
    else if (message.who == role::tool)
      append_result(message);
    else if (message.files.empty() && message.extras.empty())
      append_json(out_, message.text);
    else
      append_content(out_, content_of_user(message, taken_));
    out_.push_back('}');
  }

private:
  void append_answer(const chat_message& message, bool is_recent) {
    caller_ = &message;
    if (message.files.empty())
      append_json(out_, message.text);
    else
      append_json(out_, text_with_notes(message, taken_));
    const auto keeps =
        reasoning_ == reasoning_policy::all || (reasoning_ == reasoning_policy::keep && is_recent);
    if (keeps && !message.reasoning.empty()) {
      append_raw(out_, R"(,"thinking":)");
      append_json(out_, message.reasoning);
    }
    if (!message.tool_calls.empty())
      append_calls(out_, message.tool_calls);
  }

  void append_result(const chat_message& message) {
    append_content(out_, content_of_result(message, taken_));
    append_raw(out_, R"(,"tool_name":)");
    append_json(out_, name_of_call(message.tool_call_id));
    append_raw(out_, R"(,"tool_call_id":)");
    append_json(out_, message.tool_call_id);
  }

  /// The history has each result after the answer with its call.
  std::string_view name_of_call(std::string_view id) const {
    if (caller_ != nullptr)
      for (const auto& each : caller_->tool_calls)
        if (each.id == id)
          return each.name;
    return {};
  }

  json_buffer& out_;
  const file_kinds taken_;
  const reasoning_policy reasoning_;
  const chat_message* caller_ = nullptr; ///< the last answer
};

} // namespace

void append_ollama_messages(json_buffer& out, const model_request& asked) {
  // Templates of models are less strict here than elsewhere, but a model answers an order that it
  // knows best.
  const request_history messages{asked.history, asked.system, {}};
  message_writer writer{out, asked.model};
  out.push_back('[');
  if (!messages.system().empty()) {
    append_raw(out, R"({"role":"system","content":)");
    append_json(out, messages.system());
    out.push_back('}');
  }
  for (size_t i = 0; i < messages.size(); ++i) {
    if (i > 0 || !messages.system().empty())
      out.push_back(',');
    writer.append(messages[i], i >= messages.up_to_user());
  }
  out.push_back(']');
}

} // namespace troupe

#include "messages/wire/ollama/ollama_line.hpp"

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Reads a value as JSON text; null gives "".
std::string_view text_of(json_value value) {
  std::string_view text = value;
  return text == "null" ? std::string_view{} : text;
}

void read_message(json_value value, ollama_line& out) {
  if (value.kind() != json_kind::object)
    return;
  out.is_answer = true;
  value.for_each_member([&out](std::string_view key, json_value member) {
    if (key == "content")
      out.content = text_of(member);
    else if (key == "thinking")
      out.thinking = text_of(member);
    else if (key == "tool_calls")
      out.tool_calls = text_of(member);
    return true;
  });
}

void read_member(std::string_view key, json_value value, ollama_line& out) {
  if (key == "message") {
    read_message(value, out);
  } else if (key == "done") {
    const auto done = text_of(value);
    out.is_answer = out.is_answer || !done.empty();
    out.done = done == "true";
  } else if (key == "done_reason") {
    out.done_reason = text_of(value);
  } else if (key == "error") {
    const auto error = text_of(value);
    out.error = error == "\"\"" || error == "false" ? std::string_view{} : error;
  } else if (key == "prompt_eval_count") {
    out.input_count = text_of(value);
  } else if (key == "prompt_eval_cached_count") {
    out.cached_count = text_of(value);
  } else if (key == "eval_count") {
    out.output_count = text_of(value);
  }
}

} // namespace

bool read_ollama_line(std::string_view json, ollama_line& out) {
  std::string_view behind;
  const auto whole = for_each_member(
      json,
      [&out](std::string_view key, json_value value) {
        read_member(key, value, out);
        return true;
      },
      behind);
  return whole && behind.empty();
}

} // namespace troupe

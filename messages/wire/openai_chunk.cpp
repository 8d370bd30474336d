#include "messages/wire/openai_chunk.hpp"

#include "messages/wire/json_source.hpp"

namespace troupe {

namespace {

/// Reads a value as JSON text; null gives "".
std::string_view text_of(json_value value) {
  std::string_view text = value;
  return text == "null" ? std::string_view{} : text;
}

/// A choice in the making: its index may come after what it is the index of.
struct choice {
  openai_delta delta;
  openai_delta message;
  bool has_delta = false;
  std::string_view finish_reason;
  std::string_view index;
  std::string_view usage; ///< some servers put it here
};

void read_delta(json_value value, openai_delta& out) {
  std::string_view second_reasoning;
  value.for_each_member([&](std::string_view key, json_value member) {
    if (key == "content")
      out.content = text_of(member);
    else if (key == "tool_calls")
      out.tool_calls = text_of(member);
    else if (key == "reasoning_content")
      out.reasoning = text_of(member);
    else if (key == "reasoning")
      second_reasoning = text_of(member);
    else if (key == "refusal")
      out.refusal = text_of(member);
    else if (key == "function_call")
      out.function_call = text_of(member);
    else if (key == "reasoning_details")
      out.reasoning_details = text_of(member);
    else if (key == "extra_content")
      out.extra_content = text_of(member);
    return true;
  });
  if (out.reasoning.empty() || out.reasoning == "\"\"")
    out.reasoning = second_reasoning;
}

void read_choice(json_value value, choice& out) {
  value.for_each_member([&out](std::string_view key, json_value member) {
    if (key == "delta") {
      out.has_delta = member.kind() == json_kind::object;
      read_delta(member, out.delta);
    } else if (key == "index") {
      out.index = text_of(member);
    } else if (key == "finish_reason") {
      out.finish_reason = text_of(member);
    } else if (key == "message") {
      read_delta(member, out.message);
    } else if (key == "usage") {
      out.usage = text_of(member);
    }
    return true;
  });
}

void read_choices(json_value value, openai_chunk& out) {
  out.has_choices = out.has_choices || value.kind() == json_kind::array;
  bool found = false;
  value.for_each_element([&out, &found](json_value element) {
    choice read;
    read_choice(element, read);
    if (found || !(read.index.empty() || read.index == "0"))
      return true;
    found = true;
    out.delta = read.has_delta ? read.delta : read.message;
    out.finish_reason = read.finish_reason;
    if (!read.usage.empty())
      out.usage = read.usage;
    return true;
  });
}

/// What tells an error that is reported without wrapping it.
struct bare_error {
  bool named = false; ///< by the member `object`
  std::string_view message;
};

void read_member(std::string_view key, json_value value, openai_chunk& out, bare_error& bare) {
  if (key == "choices")
    read_choices(value, out);
  else if (key == "usage")
    out.usage = text_of(value);
  else if (key == "x_groq") // Groq's own place for usage
    read_members(value, {{"usage", &out.usage}});
  else if (key == "error")
    out.error = text_of(value);
  else if (key == "message" || key == "detail")
    bare.message = text_of(value);
  else if (key == "object")
    bare.named = text_of(value) == "\"error\"";
}

} // namespace

bool read_openai_chunk(std::string_view json, openai_chunk& out) {
  bare_error bare;
  auto whole = for_each_member(json, [&out, &bare](std::string_view key, json_value value) {
    read_member(key, value, out, bare);
    return true;
  });
  if (!out.error.empty() || bare.named || (!out.has_choices && bare.message.starts_with('"')))
    out.error = json;
  return whole;
}

} // namespace troupe

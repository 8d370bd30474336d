#include "messages/wire/openai_chat/openai_chunk.hpp"

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Reads a value as JSON text; null gives "".
std::string_view text_of(json_value value) {
  std::string_view text = value;
  return text == "null" ? std::string_view{} : text;
}

/// Returns whether the value of a member `error` reports an error.
bool is_error(std::string_view value) {
  return !value.empty() && value != "\"\"" && value != "false";
}

/// A choice that is being read: its index may come after the other members.
struct choice {
  openai_delta delta;
  openai_delta message;
  bool has_delta = false;
  bool has_message = false;
  bool has_text = false; ///< of a text completion
  std::string_view finish_reason;
  std::string_view stop_reason;
  std::string_view index;
  std::string_view usage; ///< some servers put it here
  std::string_view error; ///< OpenRouter puts it here
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
    } else if (key == "stop_reason" || key == "matched_stop") {
      out.stop_reason = text_of(member);
    } else if (key == "message") {
      out.has_message = true;
      read_delta(member, out.message);
    } else if (key == "text") {
      out.has_text = true;
    } else if (key == "usage") {
      out.usage = text_of(member);
    } else if (key == "error") {
      out.error = text_of(member);
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
    out.is_whole = !read.has_delta;
    out.is_text = read.has_text && !read.has_delta && !read.has_message;
    out.delta = read.has_delta ? read.delta : read.message;
    out.finish_reason = read.finish_reason;
    out.stop_reason = read.stop_reason;
    if (!read.usage.empty())
      out.inner_usage = read.usage;
    if (is_error(read.error))
      out.error = read.error;
    return true;
  });
}

/// The error members of a chunk itself, without the errors in its choices.
struct top_error {
  bool told = false;          ///< there is a member `error`
  bool named = false;         ///< the member `object` says so: the error is not wrapped
  std::string_view message{}; ///< of an error that is not wrapped
};

/// Groq's own place for usage, and for why a stream is stopped early.
void read_groq(json_value value, openai_chunk& out) {
  std::string_view error;
  read_members(value, {{"usage", &out.inner_usage}, {"error", &error}});
  if (!is_nothing(error) && is_error(error))
    out.error = error;
}

void read_member(std::string_view key, json_value value, openai_chunk& out, top_error& top) {
  if (key == "choices")
    read_choices(value, out);
  else if (key == "usage")
    out.usage = text_of(value);
  else if (key == "x_groq")
    read_groq(value, out);
  else if (key == "error")
    top.told = is_error(text_of(value));
  else if (key == "message" || key == "detail")
    top.message = text_of(value);
  else if (key == "object")
    top.named = text_of(value) == "\"error\"";
}

} // namespace

bool read_openai_chunk(std::string_view json, openai_chunk& out) {
  top_error top;
  auto visit = [&out, &top](std::string_view key, json_value value) {
    read_member(key, value, out, top);
    return true;
  };
  auto whole = for_each_member(json, visit, out.behind);
  if (top.told || top.named || (!out.has_choices && top.message.starts_with('"')))
    out.error = json.substr(0, json.size() - out.behind.size());
  return whole;
}

} // namespace troupe

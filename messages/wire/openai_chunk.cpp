#include "messages/wire/openai_chunk.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include <simdjson.h>

namespace troupe {

namespace {

namespace od = simdjson::ondemand;

constexpr size_t small_text_bytes = 4 * 1024;
constexpr size_t kept_parser_bytes = 64 * 1024;

/// One parser serves all streams of a thread: nothing stays in it between two texts.
od::parser& parser_for(size_t bytes) {
  thread_local auto parser = std::make_unique<od::parser>();
  if (parser->capacity() > kept_parser_bytes && bytes <= kept_parser_bytes)
    parser = std::make_unique<od::parser>();
  // The parser by itself allocates anew for each text that is longer than all before it.
  if (parser->capacity() < bytes || parser->capacity() == 0) {
    auto failed = parser->allocate(std::bit_ceil(std::max(bytes, small_text_bytes)));
    static_cast<void>(failed); // the parse that follows fails as well, and says so
  }
  return *parser;
}

/// Reads a value as JSON text without space behind it; null gives "".
bool read_text(od::value value, std::string_view& out) {
  auto token = value.raw_json_token();
  if (token.starts_with('{') || token.starts_with('[')) {
    if (simdjson::to_json_string(value).get(token) != simdjson::SUCCESS)
      return false;
  }
  auto end = token.find_last_not_of(" \t\r\n");
  token = token.substr(0, end == std::string_view::npos ? 0 : end + 1);
  out = token == "null" ? std::string_view{} : token;
  return true;
}

/// Calls `visit(field)` for each field of an object; other values are passed over.
template <class Visitor>
bool each_field(od::value value, Visitor visit) {
  if (!value.raw_json_token().starts_with('{'))
    return true;
  od::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS)
    return false;
  for (auto each : object) {
    od::field field;
    if (std::move(each).get(field) != simdjson::SUCCESS || !visit(field))
      return false;
  }
  return true;
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

bool read_delta(od::value value, openai_delta& out) {
  std::string_view second_reasoning;
  bool readable = each_field(value, [&](od::field& field) {
    auto key = field.key();
    if (key == "content")
      return read_text(field.value(), out.content);
    if (key == "tool_calls")
      return read_text(field.value(), out.tool_calls);
    if (key == "reasoning_content")
      return read_text(field.value(), out.reasoning);
    if (key == "reasoning")
      return read_text(field.value(), second_reasoning);
    if (key == "refusal")
      return read_text(field.value(), out.refusal);
    if (key == "function_call")
      return read_text(field.value(), out.function_call);
    return true;
  });
  if (out.reasoning.empty() || out.reasoning == "\"\"")
    out.reasoning = second_reasoning;
  return readable;
}

bool read_choice(od::value value, choice& out) {
  return each_field(value, [&out](od::field& field) {
    auto key = field.key();
    if (key == "delta") {
      out.has_delta = field.value().raw_json_token().starts_with('{');
      return read_delta(field.value(), out.delta);
    }
    if (key == "index")
      return read_text(field.value(), out.index);
    if (key == "finish_reason")
      return read_text(field.value(), out.finish_reason);
    if (key == "message")
      return read_delta(field.value(), out.message);
    if (key == "usage")
      return read_text(field.value(), out.usage);
    return true;
  });
}

bool read_choices(od::value value, openai_chunk& out) {
  if (!value.raw_json_token().starts_with('['))
    return true;
  out.has_choices = true;
  od::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS)
    return false;
  bool found = false;
  for (auto each : array) {
    od::value element;
    choice read;
    if (std::move(each).get(element) != simdjson::SUCCESS || !read_choice(element, read))
      return false;
    if (found || !(read.index.empty() || read.index == "0"))
      continue;
    found = true;
    out.delta = read.has_delta ? read.delta : read.message;
    out.finish_reason = read.finish_reason;
    if (!read.usage.empty())
      out.usage = read.usage;
  }
  return true;
}

/// Groq's own place for usage.
bool read_groq(od::value value, openai_chunk& out) {
  return each_field(value, [&out](od::field& field) {
    return field.key() != "usage" || read_text(field.value(), out.usage);
  });
}

} // namespace

bool read_openai_chunk(std::string_view json, size_t readable, openai_chunk& out) {
  od::document document;
  od::object object;
  if (parser_for(json.size()).iterate(json.data(), json.size(), readable).get(document) !=
          simdjson::SUCCESS ||
      document.get_object().get(object) != simdjson::SUCCESS)
    return false;
  bool is_error = false;
  std::string_view message;
  for (auto each : object) {
    od::field field;
    if (std::move(each).get(field) != simdjson::SUCCESS)
      return false;
    auto key = field.key();
    bool readable_field = true;
    if (key == "choices")
      readable_field = read_choices(field.value(), out);
    else if (key == "usage")
      readable_field = read_text(field.value(), out.usage);
    else if (key == "x_groq")
      readable_field = read_groq(field.value(), out);
    else if (key == "error")
      readable_field = read_text(field.value(), out.error);
    else if (key == "message" || key == "detail")
      readable_field = read_text(field.value(), message);
    else if (key == "object")
      is_error = field.value().raw_json_token().starts_with("\"error\"");
    if (!readable_field)
      return false;
  }
  // Some servers report an error without wrapping it.
  if (!out.error.empty() || is_error || (!out.has_choices && message.starts_with('"')))
    out.error = json;
  return true;
}

} // namespace troupe

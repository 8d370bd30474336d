#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "apps/model/anthropic/anthropic_history_check.hpp"
#include "apps/model/dialect/request_fields.hpp"
#include "apps/model/dialect/seal.hpp"

namespace troupe::scripted {

namespace {

failure refused_at(const std::string& place, std::string_view why) {
  return invalid_request(fmt::format("{}: {}", place, why));
}

/// Everything but what Anthropic knows is refused, in blocks, too.
failure only_known(object fields, const std::string& place,
                   std::initializer_list<std::string_view> known) {
  if (const auto other = unknown_key(fields, known); !other.empty())
    return invalid_request(fmt::format("{}.{}: Extra inputs are not permitted", place, other));
  return {};
}

failure check_text(object fields, const std::string& place) {
  if (auto bad = only_known(fields, place, {"type", "text", "cache_control", "citations"}))
    return bad;
  if (string_in(fields, "text").empty())
    return refused_at(place, "text content blocks must be non-empty");
  if (is_blank(string_in(fields, "text")))
    return refused_at(place, "text content blocks must contain non-whitespace text");
  return {};
}

failure check_source(object fields, const std::string& place) {
  if (auto bad = only_known(fields, place,
                            {"type", "source", "cache_control", "title", "context", "citations"}))
    return bad;
  object source;
  if (fields["source"].get(source) != simdjson::SUCCESS)
    return refused_at(place + ".source", "Field required");
  const auto kind = string_in(source, "type");
  const auto type = string_in(source, "media_type");
  const bool is_image = string_in(fields, "type") == "image";
  if (kind == "url")
    return string_in(source, "url").starts_with("http") ? failure{}
                                                        : refused_at(place, "not a URL");
  if (kind == "file" || (!is_image && kind == "text"))
    return {};
  if (kind != "base64" || !is_base64(string_in(source, "data")))
    return refused_at(place + ".source", "Input should be base64 or url");
  if (is_image ? !is_image_type(type) : type != "application/pdf")
    return refused_at(place + ".source.media_type", "Input should be 'image/jpeg', 'image/png', "
                                                    "'image/gif' or 'image/webp'");
  return {};
}

failure check_thinking(object fields, const std::string& place) {
  if (auto bad = only_known(fields, place, {"type", "thinking", "signature"}))
    return bad;
  std::string_view thinking;
  if (!get_string(fields, "thinking", thinking) ||
      string_in(fields, "signature") != seal_of(thinking))
    return refused_at(place, "Invalid `signature` in `thinking` block");
  return {};
}

failure check_use(object fields, const std::string& place) {
  if (auto bad = only_known(fields, place, {"type", "id", "name", "input", "cache_control"}))
    return bad;
  element input;
  if (!fits_id(string_in(fields, "id")))
    return refused_at(place + ".id", "String should match pattern '^[a-zA-Z0-9_-]+$'");
  if (!fits_name(string_in(fields, "name")))
    return refused_at(place + ".name", "String should match pattern '^[a-zA-Z0-9_-]{1,64}$'");
  if (fields["input"].get(input) != simdjson::SUCCESS || !input.is_object())
    return refused_at(place + ".input", "Input should be a valid dictionary");
  return {};
}

failure check_result(object fields, const std::string& place) {
  if (auto bad = only_known(fields, place,
                            {"type", "tool_use_id", "content", "is_error", "cache_control"}))
    return bad;
  bool failed = false;
  if (auto bad = read_bool(fields, "is_error", failed))
    return bad;
  if (!fits_id(string_in(fields, "tool_use_id")))
    return refused_at(place + ".tool_use_id", "String should match pattern '^[a-zA-Z0-9_-]+$'");
  element content;
  if (!find(fields, "content", content) || content.is_string())
    return {};
  array blocks;
  if (content.get(blocks) != simdjson::SUCCESS)
    return refused_at(place + ".content", "Input should be a valid list");
  size_t at = 0;
  for (element each : blocks) {
    const auto inner = fmt::format("{}.content.{}", place, at++);
    if (auto bad = check_anthropic_block(each, "result", inner))
      return bad;
    std::string_view type;
    if (failed && (each["type"].get(type) != simdjson::SUCCESS || type != "text"))
      return refused_at(inner, "all content must be type `text` if `is_error` is true");
  }
  return {};
}

failure check_redacted(object fields, const std::string& place) {
  if (string_in(fields, "data").empty())
    return refused_at(place + ".data", "Field required");
  return only_known(fields, place, {"type", "data"});
}

struct block_row {
  std::string_view type;
  std::string_view roles; ///< that may have it
  failure (*check)(object fields, const std::string& place);
};

constexpr std::array block_rows{
    block_row{"text", "system user assistant result", check_text},
    block_row{"image", "user result", check_source},
    block_row{"document", "user result", check_source},
    block_row{"thinking", "assistant", check_thinking},
    block_row{"redacted_thinking", "assistant", check_redacted},
    block_row{"tool_use", "assistant", check_use},
    block_row{"tool_result", "user", check_result},
};

} // namespace

failure check_anthropic_block(element block, std::string_view role, const std::string& place) {
  object fields;
  if (block.get(fields) != simdjson::SUCCESS)
    return refused_at(place, "Input should be an object");
  const auto type = string_in(fields, "type");
  for (const auto& row : block_rows)
    if (row.type == type && row.roles.find(role) != std::string_view::npos)
      return row.check(fields, place);
  return refused_at(place, fmt::format("Input tag '{}' is not expected here", type));
}

} // namespace troupe::scripted

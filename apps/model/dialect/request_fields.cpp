#include "apps/model/dialect/request_fields.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apps/model/script/schema_sample.hpp"

namespace troupe::scripted {

namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

} // namespace

failure invalid_request(std::string text) {
  return {errc::request_invalid, std::move(text)};
}

bool find(object in, std::string_view key, element& out) {
  return in[key].get(out) == simdjson::SUCCESS && !out.is_null();
}

bool get_string(object in, std::string_view key, std::string_view& out) {
  return in[key].get(out) == simdjson::SUCCESS;
}

std::string_view string_in(object in, std::string_view key) {
  std::string_view text;
  return get_string(in, key, text) ? text : std::string_view{};
}

failure read_bool(object in, std::string_view key, bool& out) {
  element value;
  if (find(in, key, value) && value.get(out) != simdjson::SUCCESS)
    return invalid_request(fmt::format("{} must be true or false", key));
  return {};
}

bool is_count(element value, int64_t least) {
  int64_t number = 0;
  return value.get(number) == simdjson::SUCCESS && number >= least;
}

int64_t number_in(object in, std::string_view key) {
  int64_t number = 0;
  return in[key].get(number) == simdjson::SUCCESS ? number : 0;
}

std::string_view unknown_key(object in, std::initializer_list<std::string_view> known) {
  for (auto [key, value] : in)
    if (!is_one_of(key, known))
      return key;
  return {};
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool is_base64(std::string_view data) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto size = data.find_last_not_of('=') + 1;
  return size > 0 && data.size() % 4 == 0 && data.size() - size <= 2 &&
         data.substr(0, size).find_first_not_of(alphabet) == std::string_view::npos;
}

bool is_image_type(std::string_view type) {
  return is_one_of(type, {"image/png", "image/jpeg", "image/gif", "image/webp"});
}

bool is_readable_image(std::string_view url) {
  if (url.starts_with("https://") || url.starts_with("http://"))
    return true;
  constexpr std::string_view scheme = "data:";
  constexpr std::string_view encoding = ";base64,";
  const auto at = url.find(encoding);
  return url.starts_with(scheme) && at != std::string_view::npos &&
         is_image_type(url.substr(scheme.size(), at - scheme.size())) &&
         is_base64(url.substr(at + encoding.size()));
}

bool fits_name(std::string_view name) {
  return name.size() <= 64 && fits_id(name);
}

bool fits_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), is_name_character);
}

std::string joined_text(element content) {
  std::string_view text;
  if (content.get(text) == simdjson::SUCCESS)
    return std::string{text};
  std::string joined;
  array parts;
  if (content.get(parts) == simdjson::SUCCESS)
    for (element part : parts)
      if (part["text"].get(text) == simdjson::SUCCESS)
        joined += text;
  return joined;
}

void talk_collector::user(std::string text) {
  talk_.user_text = std::move(text);
  talk_.results.clear();
  talk_.rounds = 0;
  talk_.sealed_rounds = 0;
}

void talk_collector::call(std::string_view id, std::string_view name) {
  names_[std::string{id}] = name;
  ++talk_.calls;
  if (std::exchange(counted_, true))
    return;
  ++talk_.rounds;
  talk_.sealed_rounds += sealed_ ? 1 : 0;
}

void talk_collector::result(std::string_view id, std::string text) {
  talk_.results.push_back({names_[std::string{id}], std::move(text)});
}

void talk_collector::named_result(std::string_view name, std::string text) {
  talk_.results.push_back({std::string{name}, std::move(text)});
}

void talk_collector::tool(std::string_view name, element schema, bool has_schema) {
  talk_.tools.push_back(
      {std::string{name}, has_schema ? parameters_of(schema) : std::vector<tool_parameter>{}});
}

void talk_collector::tools(object request, std::string_view wrapper, std::string_view schema_key) {
  array list;
  if (request["tools"].get(list) != simdjson::SUCCESS)
    return;
  for (element each : list) {
    object fields;
    element schema;
    if ((wrapper.empty() ? each.get(fields) : each[wrapper].get(fields)) != simdjson::SUCCESS)
      continue;
    const bool has_schema = find(fields, schema_key, schema);
    tool(string_in(fields, "name"), schema, has_schema);
  }
}

} // namespace troupe::scripted

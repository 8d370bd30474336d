#include "apps/engine/http_route.hpp"

#include <algorithm>

#include "transport/request_head.hpp"

namespace troupe {

namespace {

constexpr std::string_view any_id = "{}"; // in http_route::path
constexpr size_t max_id_bytes = 256;

bool take_id(std::string_view text, std::string& out) {
  out = text;
  return !text.empty() && text.size() <= max_id_bytes;
}

/// Removes what stands before the first id; false if it is not there.
bool drop_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

} // namespace

bool matches(const http_route& row, std::string_view path, path_ids& ids) {
  auto first = row.path.find(any_id);
  if (first == std::string_view::npos)
    return path == row.path;
  auto rest = row.path.substr(first + any_id.size());
  auto second = rest.find(any_id);
  auto last = second == std::string_view::npos ? rest : rest.substr(second + any_id.size());
  if (!drop_prefix(path, row.path.substr(0, first)) || !path.ends_with(last))
    return false;
  path.remove_suffix(last.size());
  if (second == std::string_view::npos)
    return take_id(path, ids[0]);
  auto between = rest.substr(0, second);
  auto at = path.rfind(between);
  return at != std::string_view::npos && take_id(path.substr(0, at), ids[0]) &&
         take_id(path.substr(at + between.size()), ids[1]);
}

failure check_chat_id(std::string_view id, std::string_view where) {
  auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::none_of(id.begin(), id.end(), is_control))
    return {};
  return {errc::request_invalid, std::string{where} + " must not have control characters"};
}

std::string query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    auto pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    auto equals = pair.find('=');
    if (pair.substr(0, equals) != name || equals == std::string_view::npos)
      continue;
    std::string value{pair.substr(equals + 1)};
    std::replace(value.begin(), value.end(), '+', ' ');
    return percent_decoded(value).value_or("");
  }
  return "";
}

} // namespace troupe

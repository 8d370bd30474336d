#include "apps/engine/http/requests/http_route.hpp"

#include <algorithm>
#include <vector>

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/percent.hpp"
#include "transport/http/request_head.hpp"

namespace troupe {

namespace {

constexpr std::string_view any_id = "{}"; // in http_route::path
constexpr size_t max_id_bytes = 256;

using segments = std::vector<std::string>; // of a path, decoded
using segment_range = std::span<const std::string>;

segments segments_of(std::string_view path) {
  segments all;
  while (!path.empty()) {
    path.remove_prefix(1); // the slash
    const auto end = std::min(path.find('/'), path.size());
    all.push_back(percent_decoded_leniently(path.substr(0, end)));
    path.remove_prefix(end);
  }
  return all;
}

bool take_id(segment_range of, std::string& out) {
  out.clear();
  for (const auto& each : of)
    out.append(&each == of.data() ? "" : "/").append(each);
  return !out.empty() && out.size() <= max_id_bytes;
}

/// Takes the ids before and after `between`, which counts at its last place.
bool take_both(segment_range of, segment_range between, path_ids& ids) {
  if (of.size() < between.size() + 2)
    return false;
  const auto inner = of.subspan(1, of.size() - 2);
  const auto at = std::find_end(inner.begin(), inner.end(), between.begin(), between.end());
  const auto before = static_cast<size_t>(at - inner.begin()) + 1;
  return at != inner.end() && take_id(of.first(before), ids[0]) &&
         take_id(of.subspan(before + between.size()), ids[1]);
}

/// @param row with one or two ids, each of which takes at least one segment
bool take_ids(segment_range row, segment_range path, path_ids& ids) {
  const auto first = std::ranges::find(row, any_id);
  const auto last = std::find(row.rbegin(), row.rend(), any_id);
  const auto before = static_cast<size_t>(first - row.begin());
  const auto behind = static_cast<size_t>(last - row.rbegin());
  if (path.size() < row.size() || !std::ranges::equal(row.first(before), path.first(before)) ||
      !std::ranges::equal(row.last(behind), path.last(behind)))
    return false;
  const auto of = path.subspan(before, path.size() - before - behind);
  const auto between =
      row.subspan(before + 1, std::max(row.size() - before - behind, size_t{2}) - 2);
  return before + behind + 1 == row.size() ? take_id(of, ids[0]) : take_both(of, between, ids);
}

} // namespace

bool matches(const http_route& row, const server_request& request, path_ids& ids) {
  const auto first = row.path.find(any_id);
  if (first == std::string_view::npos)
    return request.path == row.path;
  return request.path.starts_with(row.path.substr(0, first)) &&
         take_ids(segments_of(row.path), segments_of(request.target), ids);
}

std::string chat_of(const http_call& in) {
  if (!in.ids[0].empty())
    return in.chat(in.ids[0]);
  const json_source source{in.request.body};
  std::string_view id;
  read_members(source.root(), {{"id", &id}});
  const auto text = json_string(id);
  return text.empty() ? std::string{} : in.chat(text);
}

failure check_chat_id(std::string_view id, std::string_view where) {
  auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::none_of(id.begin(), id.end(), is_control))
    return {};
  return {errc::request_invalid, std::string{where} + " must not have control characters"};
}

failure check_query(std::string_view query) {
  if (percent_decoded(query))
    return {};
  return {errc::request_invalid, "the query must be percent-encoded UTF-8 without control "
                                 "characters"};
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

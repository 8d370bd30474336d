#include "apps/engine/http/routes/conversations/conversation_bodies.hpp"

#include <charconv>

#include <fmt/format.h>

#include "apps/engine/http/requests/body_reader.hpp"
#include "apps/engine/http/requests/http_route.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "transport/http/request_head.hpp"

namespace troupe {

namespace {

constexpr uint32_t most_conversations = 1000;
constexpr uint32_t most_hits = 100;
constexpr size_t max_query_bytes = 1024;

bool is_blank(std::string_view body) {
  return body.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

failure bounded(std::string_view text, std::string_view name) {
  if (text.size() <= max_query_bytes)
    return {};
  return {errc::request_invalid, fmt::format("{} must have at most 1024 bytes", name)};
}

failure need_day(std::string_view text, std::string_view name) {
  if (is_day(text))
    return {};
  return {errc::request_invalid, fmt::format("{} must be a day like 2026-11-21", name)};
}

/// @param most the bound of `limit`, which keeps its value if the query has none
failure parse_page(std::string_view query, uint32_t most, uint32_t& limit, std::string& cursor) {
  cursor = query_value(query, "cursor");
  if (auto bad = bounded(cursor, "cursor"))
    return bad;
  auto text = query_value(query, "limit");
  if (text.empty())
    return {};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc{} || end != text.data() + text.size() || limit == 0 || limit > most)
    return {errc::request_invalid, fmt::format("limit must be a whole number from 1 to {}", most)};
  return {};
}

} // namespace

failure parse_title(std::string_view body, std::string& title) {
  auto bad = read_body(body, [&](object_reader& in) {
    in.expect("title");
    in.read("title", title);
  });
  return bad ? bad : check_title(title);
}

failure parse_branch(std::string_view body, branch_options& out) {
  if (is_blank(body))
    return {};
  auto bad = read_body(body, [&](object_reader& in) {
    in.read("messageId", out.message_id);
    in.read("id", out.id);
    in.read("title", out.title);
  });
  if (!bad && !out.id.empty())
    bad = check_conversation_id(out.id);
  return bad ? bad : check_title(out.title);
}

failure parse_list(std::string_view query, list_conversations& out) {
  return parse_page(query, most_conversations, out.limit, out.cursor);
}

failure parse_search(std::string_view query, search_conversations& out) {
  out.query = query_value(query, "q");
  if (is_blank(out.query))
    return {errc::request_invalid, "q must hold the words that are looked for"};
  if (auto bad = bounded(out.query, "q"))
    return bad;
  return parse_page(query, most_hits, out.limit, out.cursor);
}

failure parse_usage(std::string_view query, usage_query& out) {
  out.from = query_value(query, "from");
  out.to = query_value(query, "to");
  if (auto bad = need_day(out.from, "from"))
    return bad;
  return need_day(out.to, "to");
}

} // namespace troupe

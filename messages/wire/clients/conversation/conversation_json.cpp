#include "messages/wire/clients/conversation/conversation_json.hpp"

#include <algorithm>
#include <chrono>

#include "messages/json_object.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// These bytes enclose the words of a hit in search_hit::snippet.
constexpr char match_begins = '\x02';
constexpr char match_ends = '\x03';

/// A piece of a snippet.
struct snippet_piece {
  std::string text;
  bool match = false;

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("text", &snippet_piece::text),
                           field("match", &snippet_piece::match));
  }
};

std::vector<snippet_piece> pieces_of(std::string_view marked) {
  std::vector<snippet_piece> out;
  for (bool match = false; !marked.empty(); match = !match) {
    auto piece = marked.substr(0, marked.find(match ? match_ends : match_begins));
    marked.remove_prefix(std::min(marked.size(), piece.size() + 1));
    if (!piece.empty())
      out.push_back({std::string{piece}, match});
  }
  return out;
}

void append_hit(json_buffer& out, const search_hit& hit) {
  json_object all{out};
  for_each_field(hit, [&](std::string_view name, const auto& member) {
    if (name == "snippet")
      all.member(name, pieces_of(hit.snippet));
    else
      all.member(name, member);
  });
}

failure read_servers(std::string_view servers, chat_overrides& out) {
  if (is_nothing(servers))
    return {};
  if (kind_of(servers) != json_kind::array)
    return invalid_request("mcpServers must be an array or null");
  out.limits_servers = true;
  failure bad;
  for_each_element(servers, [&](std::string_view name) {
    auto& all = out.mcp_servers;
    if (!is_id(name))
      bad = invalid_request(
          fmt::format("mcpServers[{}] must be a string of 1 to 256 bytes", all.size()));
    else if (all.size() == max_override_servers)
      bad = invalid_request("mcpServers must not be more than 1024");
    else
      all.push_back(json_string(name));
    return !bad;
  });
  return bad;
}

} // namespace

std::string conversations_json(const conversation_page& page) {
  return json_text([&](json_object& out) {
    out.member("conversations", page.conversations).or_null("next", page.next);
  });
}

std::string hits_json(const search_page& page) {
  return json_text([&](json_object& out) {
    out.array("hits").each(page.hits, append_hit);
    out.or_null("next", page.next);
  });
}

std::string overrides_json(const chat_overrides& what) {
  return json_text([&](json_object& out) {
    out.or_null("model", what.model)
        .member("mcpServers", raw_json{what.limits_servers ? to_json(what.mcp_servers) : ""});
  });
}

failure parse_overrides(std::string_view json, chat_overrides& out) {
  json_source body{json};
  if (auto bad = check_body(body))
    return bad;
  std::string_view model, servers;
  if (auto key = read_only_members(body.root(), {{"model", &model}, {"mcpServers", &servers}}))
    return invalid_request(*key + " is not known here; there are model and mcpServers" +
                           (key->starts_with("system") ? ". A turn sets it: systemPrompt" : ""));
  if (!is_nothing(model) && !is_id(model))
    return invalid_request("model must be a string of 1 to 256 bytes, or null");
  out = {};
  out.model = json_string(model);
  return read_servers(servers, out);
}

std::string usage_json(const usage_table& table) {
  uint64_t turns = 0;
  uint64_t requests = 0;
  usage used;
  for (const auto& row : table.rows) {
    turns += row.turns;
    requests += row.requests;
    used += row.used;
  }
  return json_text([&](json_object& out) {
    out.member("usage", table.rows)
        .object("total")
        .member("turns", turns)
        .member("requests", requests)
        .member("usage", used);
    out.object("kept").members(table.kept).members(table.quota);
  });
}

failure check_conversation_id(std::string_view id) {
  auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (id.empty() || id.size() > max_id_bytes || std::any_of(id.begin(), id.end(), is_control))
    return invalid_request("id must have 1 to 256 bytes, and no control characters");
  return {};
}

failure check_title(std::string_view title) {
  if (title.size() > max_title_bytes)
    return invalid_request("title must have at most 1024 bytes");
  return {};
}

bool is_day(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-dd";
  if (text.empty())
    return true;
  auto fits = [](char c, char wanted) {
    return wanted == 'd' ? c >= '0' && c <= '9' : c == wanted;
  };
  if (text.size() != shape.size() || !std::equal(text.begin(), text.end(), shape.begin(), fits))
    return false;
  const auto number = [text](size_t at, size_t digits) {
    unsigned out = 0;
    for (char c : text.substr(at, digits))
      out = out * 10 + static_cast<unsigned>(c - '0');
    return out;
  };
  return std::chrono::year_month_day{std::chrono::year{static_cast<int>(number(0, 4))},
                                     std::chrono::month{number(5, 2)},
                                     std::chrono::day{number(8, 2)}}
      .ok();
}

} // namespace troupe

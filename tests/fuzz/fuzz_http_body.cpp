// The other bodies, queries and header fields of the HTTP interface, and the messages of /v1/ws.
// The last byte chooses what the text is, in the order of `readers`.
#include <string>

#include "apps/engine/access/request_origin.hpp"
#include "apps/engine/http/requests/http_route.hpp"
#include "apps/engine/http/routes/conversations/conversation_bodies.hpp"
#include "apps/engine/http/routes/conversations/conversation_tags.hpp"
#include "apps/engine/http/routes/mcp/mcp_request_bodies.hpp"
#include "apps/engine/http/websocket/ws_messages.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/percent.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"
#include "transport/http/authority.hpp"

using namespace troupe;

namespace {

/// Returns whether a body was taken.
bool taken(const failure& bad) {
  if (bad)
    require_refusal(bad, errc::request_invalid);
  return !bad;
}

void read_command(std::string_view text) {
  ws_command command;
  const auto bad = parse_ws_command(text, command);
  require(command.session.size() <= 256 || bad, "ids are bounded");
  if (!taken(bad))
    return;
  require(!command.session.empty() || command.verb == ws_verb::ping, "a command is for a chat");
  require(holds_utf8(command.session) && holds_utf8(command.turn), "ids are UTF-8");
  require_object(command.body);
  require_object(ws_notice("idle", command.session));
}

void read_title(std::string_view text) {
  std::string title;
  if (taken(parse_title(text, title)))
    require(title.size() <= max_title_bytes && holds_utf8(title), "a title is a bounded text");
}

void read_branch(std::string_view text) {
  branch_options how;
  if (taken(parse_branch(text, how)))
    require(how.id.size() <= 256 && how.title.size() <= max_title_bytes, "ids are bounded");
}

void read_query(std::string_view text) {
  list_conversations list;
  if (taken(parse_list(text, list)))
    require(list.limit > 0 && list.limit <= 1000 && list.cursor.size() <= 1024,
            "a page is bounded");
  search_conversations search;
  if (taken(parse_search(text, search)))
    require(search.limit > 0 && search.limit <= 100 && search.query.size() <= 1024 &&
                holds_utf8(search.query),
            "a search is bounded");
  usage_query usage;
  if (taken(parse_usage(text, usage)))
    require(is_day(usage.from) && is_day(usage.to), "usage is of days");
  const auto written = "a=b&q=" + percent_encoded(search.query);
  require(query_value(written, "q") == search.query, "a value comes back as it was");
}

void read_call(std::string_view text) {
  call_tool call;
  if (!taken(parse_tool_call(text, call)))
    return;
  require(!call.server.empty() && !call.tool.empty(), "a call names a tool");
  require(listing{call}.is_utf8(), "a call is UTF-8");
  require_object(call.arguments);
}

/// The bodies that become a request of a server.
void read_ask(std::string_view text) {
  const auto check = [](const failure& bad, const mcp_ask& ask) {
    if (!taken(bad))
      return;
    require(!ask.server.empty() && !ask.method.empty(), "a request names server and method");
    require_object(ask.params.text, true);
  };
  for (auto* parse : {parse_prompt, parse_completion, parse_log_level, parse_request}) {
    mcp_ask ask;
    check(parse(text, ask), ask);
  }
  mcp_ask ask;
  check(parse_subscription(text, "resources/subscribe", ask), ask);
}

void read_small(std::string_view text) {
  read_resource wanted;
  if (taken(parse_read(text, wanted)))
    require(!wanted.server.empty() && !wanted.uri.empty(), "a resource is named");
  add_attachment attached;
  if (taken(parse_attachment(text, attached)))
    require(!attached.server.empty() && !attached.uri.empty(), "an attachment is named");
  client_answer answer;
  if (taken(parse_client_answer(text, answer)))
    require_object(answer.content.text, true);
  bool enabled = false;
  taken(parse_enabled(text, enabled));
  taken(parse_empty(text));
}

void read_tags(std::string_view text) {
  const headers fields{{"if-match", std::string{text}}, {"if-none-match", std::string{text}}};
  uint64_t version = 0;
  if (read_wanted_version(fields, version) || version == 0)
    return;
  require(has_seen(fields, version), "both headers mean the same version");
  const headers ours{{"if-match", entity_tag(version)}};
  uint64_t again = 0;
  require(!read_wanted_version(ours, again) && again == version, "our tag is read");
}

/// Three lines: origin, host, and the host that a proxy names.
void read_origin(std::string_view text) {
  const auto origin = std::string{take_line(text)};
  const auto host = std::string{take_line(text)};
  server_request request;
  request.fields = {{"origin", origin}, {"host", host}, {"x-forwarded-host", std::string{text}}};
  const auto is = origin_of(read_known_fields(request), {"https://allowed.example"});
  require(is != page_origin::none || origin.empty(), "a page is a page");
  require(is != page_origin::allowed || origin == "https://allowed.example",
          "only the listed page is allowed");
  require(is != page_origin::own || origin.ends_with(host) || origin.ends_with(std::string{text}),
          "an own page has the server's name");
  const auto foreign = host + ".example";
  require(!is_authority(foreign) || !is_known_host({.host = foreign}, "127.0.0.1:80", {}),
          "a foreign name is not known");
}

/// A path with ids in it: what they stood for comes back.
void read_path(std::string_view text) {
  const http_route row{"GET", "/v1/a/{}/b/{}", nullptr};
  const auto end = text.find('\n');
  const std::string first{text.substr(0, end)};
  const std::string second{end == text.npos ? "x" : text.substr(end + 1)};
  server_request request;
  request.path = "/v1/a/" + first + "/b/" + second;
  request.target = "/v1/a/" + percent_encoded(first) + "/b/" + percent_encoded(second);
  path_ids ids;
  const bool fits =
      !first.empty() && !second.empty() && first.size() <= 256 && second.size() <= 256;
  require(matches(row, request, ids) == fits, "an id has 1 to 256 bytes of any kind");
  require(!fits || (ids[0] == first && ids[1] == second), "ids come back as they were");
}

constexpr void (*readers[])(std::string_view) = {
    read_command, read_title, read_branch, read_query,  read_call,
    read_ask,     read_small, read_tags,   read_origin, read_path,
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return read_by_choice(readers, data, size);
}

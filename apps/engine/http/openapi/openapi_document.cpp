#include "apps/engine/http/openapi/openapi_document.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/engine/http/openapi/api_operations.hpp"
#include "apps/engine/http/openapi/api_schemas.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "messages/json.hpp"
#include "messages/version.hpp"

namespace troupe {

namespace {

/// Returns "/v1/sessions/{id}/turns" of an operation as its ids: "id".
std::vector<std::string_view> ids_of(std::string_view path) {
  std::vector<std::string_view> ids;
  for (auto at = path.find('{'); at != path.npos; at = path.find('{', at + 1))
    ids.push_back(path.substr(at + 1, path.find('}', at) - at - 1));
  return ids;
}

void append_parameter(json_buffer& out, std::string_view name, bool in_path) {
  append_raw(out, R"({"name":)");
  append_json(out, name);
  append_raw(out, in_path ? R"(,"in":"path","required":true,"schema":{"type":"string"}})"
                          : R"(,"in":"query","schema":{"type":"string"}})");
}

void append_parameters(json_buffer& out, const api_operation& of) {
  std::string_view apart = "";
  append_raw(out, R"(,"parameters":[)");
  for (auto id : ids_of(of.path)) {
    append_raw(out, std::exchange(apart, ","));
    append_parameter(out, id, true);
  }
  for (auto rest = of.query; !rest.empty();) {
    const auto name = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    append_raw(out, std::exchange(apart, ","));
    append_parameter(out, name, false);
  }
  out.push_back(']');
}

/// Appends `"TYPE":{"schema":...}`. @param schema "" = any
void append_media(json_buffer& out, std::string_view type, std::string_view schema) {
  append_json(out, type);
  append_raw(out, R"(:{"schema":)");
  if (schema.empty()) {
    append_raw(out, "{}}");
    return;
  }
  append_raw(out, R"({"$ref":"#/components/schemas/)");
  append_raw(out, schema);
  append_raw(out, R"("}})");
}

/// The types of an answer's body.
struct answer_types {
  bool json, events, lines, text, bytes;
};

constexpr answer_types types_of(api_answer kind) {
  const auto any = kind == api_answer::any_stream;
  const auto lines = any || kind == api_answer::json_or_lines;
  const auto or_events = any || kind == api_answer::json_or_events;
  return {lines || or_events || kind == api_answer::json, or_events || kind == api_answer::events,
          lines, kind == api_answer::text, kind == api_answer::bytes};
}

void append_contents(json_buffer& out, const api_operation& of) {
  const auto types = types_of(of.answer);
  std::string_view apart = "";
  const auto append = [&](bool is_there, std::string_view type, std::string_view schema) {
    if (!is_there)
      return;
    append_raw(out, std::exchange(apart, ","));
    append_media(out, type, schema);
  };
  append_raw(out, R"(,"content":{)");
  append(types.json, "application/json", of.result);
  append(types.events, "text/event-stream", "");
  append(types.lines, "application/x-ndjson", "");
  append(types.text, "text/plain", "");
  append(types.bytes, "*/*", "");
  out.push_back('}');
}

void append_responses(json_buffer& out, const api_operation& of) {
  if (of.answer == api_answer::nothing) {
    append_raw(out, R"(,"responses":{"101":{"description":"The connection is a WebSocket"})");
  } else {
    append_raw(out, R"(,"responses":{"2XX":{"description":"Done")");
    append_contents(out, of);
    out.push_back('}');
  }
  append_raw(out, R"(,"default":{"description":"It failed","content":{)");
  append_media(out, "application/json", "Error");
  append_raw(out, "}}}");
}

/// Returns an id that no other operation has: "post_v1_sessions_id_turns".
std::string operation_id(const api_operation& of) {
  std::string id;
  for (const char c : of.method)
    id.push_back(static_cast<char>(c - 'A' + 'a'));
  for (const char c : of.path)
    if (c == '/' || c == '-' || c == '.')
      id.push_back('_');
    else if (c != '{' && c != '}')
      id.push_back(c);
  return id;
}

void append_operation(json_buffer& out, const api_operation& of) {
  const auto id = operation_id(of);
  append_json(out, std::string_view{id}.substr(0, of.method.size()));
  append_raw(out, R"(:{"operationId":)");
  append_json(out, id);
  append_raw(out, R"(,"tags":[)");
  append_json(out, of.tag);
  append_raw(out, R"(],"summary":)");
  append_json(out, of.summary);
  if (of.access == route_access::everybody)
    append_raw(out, R"(,"security":[])");
  if (of.access == route_access::admins)
    append_raw(out, R"(,"description":"With API keys it takes an admin's.")");
  append_parameters(out, of);
  if (!of.request.empty()) {
    append_raw(out, R"(,"requestBody":{"required":true,"content":{)");
    append_media(out, of.takes, of.request);
    append_raw(out, "}}");
  }
  append_responses(out, of);
  out.push_back('}');
}

/// Appends the operations of all paths, each path once, in the order of the list.
void append_paths(json_buffer& out) {
  const auto all = api_operations();
  std::string_view apart = "";
  for (size_t i = 0; i < all.size(); ++i) {
    const auto same = [&](const api_operation& each) { return each.path == all[i].path; };
    if (std::ranges::any_of(all.first(i), same))
      continue;
    append_raw(out, std::exchange(apart, ","));
    append_json(out, all[i].path);
    append_raw(out, ":{");
    std::string_view comma = "";
    for (const auto& each : all)
      if (same(each)) {
        append_raw(out, std::exchange(comma, ","));
        append_operation(out, each);
      }
    out.push_back('}');
  }
}

std::string make_document() {
  json_buffer out;
  append_raw(out, R"({"openapi":"3.1.0","info":{"title":"Troupe","version":)");
  append_json(out, version);
  append_raw(out, R"(,"description":"An actor engine for AI chat. docs/http.md says more."},)"
                  R"("security":[{"bearer":[]},{"key":[]},{}],"paths":{)");
  append_paths(out);
  append_raw(out,
             R"(},"components":{"securitySchemes":{"bearer":{"type":"http","scheme":"bearer"},)"
             R"("key":{"type":"apiKey","in":"header","name":"x-api-key"}},"schemas":)");
  const auto from = out.size();
  append_raw(out, api_schemas());
  std::replace(out.data() + from, out.data() + out.size(), '\n', ' ');
  append_raw(out, "}}");
  return std::string{view(out)};
}

void get_openapi(http_call& in) {
  in.response->send(200, {{"content-type", "application/json"}}, openapi_document());
}

constexpr std::array openapi_rows{
    http_route{"GET", "/openapi.json", get_openapi, route_access::everybody},
};

} // namespace

const std::string& openapi_document() {
  static const auto document = make_document();
  return document;
}

route_table openapi_routes() {
  return openapi_rows;
}

} // namespace troupe

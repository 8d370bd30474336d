#include "apps/engine/http/openapi/openapi_document.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "apps/engine/http/openapi/api_operations.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "messages/json_object.hpp"
#include "messages/version.hpp"

namespace troupe {

// -- api schemas ----------------------------------------------------------------------------------

namespace {

constexpr std::string_view schemas = R"({
"AnyObject":{"type":"object"},
"ForeignBody":{"type":"object","description":"As the API of this name documents it; docs/clients.md says what differs.",
 "properties":{"model":{"type":"string"},"stream":{"type":"boolean"},
  "maxToolRoundtrips":{"type":"integer","minimum":0,"maximum":100},
  "mcpServers":{"type":"array","items":{"type":"string"}}}},
"Error":{"type":"object","required":["error"],"properties":{"error":{"type":"object","required":["code","message"],
 "properties":{"code":{"type":"string"},"message":{"type":"string"},"retryable":{"type":"boolean"}}}}},
"TurnOptions":{"type":"object","properties":{
 "model":{"type":"string"},"streaming":{"type":"boolean"},
 "maxToolRoundtrips":{"type":"integer","minimum":0,"maximum":100},
 "mcpServers":{"type":"array","items":{"type":"string"}},
 "tools":{"oneOf":[{"type":"object"},{"type":"array","items":{"type":"object"}}]},
 "toolApproval":{"enum":["always","unlessReadOnly"]},"parameters":{"type":"object"},"resumable":{"type":"boolean"},
 "whenBusy":{"enum":["refuse","wait","abort"]},"systemPrompt":{"type":"string"},"clientRequests":{"type":"boolean"},
 "prompt":{"type":"object","required":["server","name"],"properties":{"server":{"type":"string"},
  "name":{"type":"string"},"arguments":{"type":"object","additionalProperties":{"type":"string"}}}}}},
"Turn":{"allOf":[{"$ref":"#/components/schemas/TurnOptions"},{"type":"object","properties":{
 "message":{"type":"string"},
 "messages":{"type":"array","items":{"type":"object"}},"replaceHistory":{"type":"boolean"},
 "replaceFrom":{"type":"string"},"resume":{"type":"boolean"},"ephemeral":{"type":"boolean"}}}]},
"UiTurn":{"allOf":[{"$ref":"#/components/schemas/TurnOptions"},{"type":"object","required":["id"],"properties":{
 "id":{"type":"string"},"message":{"oneOf":[{"type":"string"},{"type":"object"}]},
 "messages":{"type":"array","items":{"type":"object"}},
 "trigger":{"enum":["submit-message","regenerate-message"]},"messageId":{"type":"string"},
 "ephemeral":{"type":"boolean"},"uiProfile":{"enum":["v5-min","v6","v7"]}}}]},
"ChatTurn":{"oneOf":[{"$ref":"#/components/schemas/UiTurn"},{"$ref":"#/components/schemas/ForeignBody"}]},
"ToolResults":{"allOf":[{"$ref":"#/components/schemas/TurnOptions"},{"type":"object","required":["results"],
 "properties":{"results":{"type":"array","items":{"type":"object","required":["toolCallId"],
  "properties":{"toolCallId":{"type":"string"},"output":{},"error":{"type":"string"}}}}}}]},
"Approvals":{"type":"object","required":["approvals"],"properties":{"approvals":{"type":"array",
 "items":{"type":"object","required":["approvalId","approved"],"properties":{"approvalId":{"type":"string"},
  "approved":{"type":"boolean"},"reason":{"type":"string"}}}}}},
"Model":{"type":"object","properties":{"id":{"type":"string"},"object":{"const":"model"},
 "created":{"type":"integer"},"owned_by":{"type":"string"},"type":{"const":"model"},
 "created_at":{"type":"string"},"display_name":{"type":"string"}}},
"ModelList":{"type":"object","properties":{"object":{"const":"list"},
 "data":{"type":"array","items":{"$ref":"#/components/schemas/Model"}},"has_more":{"type":"boolean"},
 "first_id":{"type":["string","null"]},"last_id":{"type":["string","null"]}}},
"ConversationInfo":{"type":"object","properties":{"id":{"type":"string"},"title":{"type":"string"},
 "createdAt":{"type":"integer"},"updatedAt":{"type":"integer"},"messageCount":{"type":"integer"},
 "version":{"type":"integer"}}},
"ConversationPage":{"type":"object","properties":{"conversations":{"type":"array",
 "items":{"$ref":"#/components/schemas/ConversationInfo"}}}},
"Conversation":{"allOf":[{"$ref":"#/components/schemas/ConversationInfo"},{"type":"object","properties":{
 "overrides":{"type":"object"},"messages":{"type":"array","items":{"type":"object"}},
 "lastTurn":{"type":["object","null"]}}}]},
"FileForm":{"type":"object","required":["file"],"properties":{"file":{"type":"string","format":"binary"},
 "purpose":{"type":"string"}}},
"File":{"type":"object","properties":{"id":{"type":"string"},"object":{"const":"file"},"bytes":{"type":"integer"},
 "created_at":{"type":"integer"},"expires_at":{"type":["integer","null"]},"filename":{"type":"string"},
 "purpose":{"type":"string"},"status":{"const":"processed"},"type":{"const":"file"},
 "mime_type":{"type":"string"},"size_bytes":{"type":"integer"},"downloadable":{"type":"boolean"},"mediaType":{"type":"string"},"url":{"type":"string"}}},
"FileList":{"type":"object","properties":{"object":{"const":"list"},
 "data":{"type":"array","items":{"$ref":"#/components/schemas/File"}},"has_more":{"type":"boolean"},"next_page":{"type":["string","null"]}}},
"Title":{"type":"object","required":["title"],"properties":{"title":{"type":"string"}}},
"Branch":{"type":"object"},
"Overrides":{"type":"object","properties":{"model":{"type":["string","null"]},
 "mcpServers":{"type":["array","null"],"items":{"type":"string"}}}},
"Enabled":{"type":"object","required":["enabled"],"properties":{"enabled":{"type":"boolean"}}},
"ToolCall":{"type":"object","required":["server","tool"],"properties":{"server":{"type":"string"},
 "tool":{"type":"string"},"arguments":{"type":"object"},"asTask":{"type":"boolean"},
 "sessionId":{"type":"string"},"clientRequests":{"type":"boolean"}}},
"Resource":{"type":"object","required":["server","uri"],"properties":{"server":{"type":"string"},
 "uri":{"type":"string"},"refresh":{"type":"boolean"}}},
"Prompt":{"type":"object","required":["server","name"],"properties":{"server":{"type":"string"},
 "name":{"type":"string"},"arguments":{"type":"object","additionalProperties":{"type":"string"}}}}
})";

} // namespace

std::string_view api_schemas() {
  return schemas;
}

// -- openapi document -----------------------------------------------------------------------------

namespace {

/// Returns "/v1/sessions/{id}/turns" of an operation as its ids: "id".
std::vector<std::string_view> ids_of(std::string_view path) {
  std::vector<std::string_view> ids;
  for (auto at = path.find('{'); at != path.npos; at = path.find('{', at + 1))
    ids.push_back(path.substr(at + 1, path.find('}', at) - at - 1));
  return ids;
}

void append_parameter(json_buffer& out, std::string_view name, bool in_path) {
  json_object{out}
      .member("name", name)
      .member("in", in_path ? "path" : "query")
      .given("required", in_path)
      .raw("schema", R"({"type":"string"})");
}

void append_parameters(json_buffer& out, const api_operation& of) {
  json_array all{out};
  for (auto id : ids_of(of.path))
    append_parameter(all.next(), id, true);
  for (auto rest = of.query; !rest.empty();) {
    const auto name = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    append_parameter(all.next(), name, false);
  }
}

/// @param schema "" = any
void add_media(json_object& content, std::string_view type, std::string_view schema) {
  auto media = content.object(type);
  if (schema.empty())
    media.raw("schema", "{}");
  else
    media.object("schema").member("$ref", "#/components/schemas/" + std::string{schema});
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
  json_object content{out};
  const auto add = [&](bool is_there, std::string_view type, std::string_view schema) {
    if (is_there)
      add_media(content, type, schema);
  };
  add(types.json, "application/json", of.result);
  add(types.events, "text/event-stream", "");
  add(types.lines, "application/x-ndjson", "");
  add(types.text, "text/plain", "");
  add(types.bytes, "*/*", "");
}

void append_responses(json_buffer& out, const api_operation& of) {
  json_object all{out};
  if (of.answer == api_answer::nothing)
    all.object("101").member("description", "The connection is a WebSocket");
  else
    append_contents(all.object("2XX").member("description", "Done").key("content"), of);
  auto failed = all.object("default");
  auto content = failed.member("description", "It failed").object("content");
  add_media(content, "application/json", "Error");
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

void add_operation(json_object& path, const api_operation& of) {
  const auto id = operation_id(of);
  auto all = path.object(std::string_view{id}.substr(0, of.method.size()));
  all.member("operationId", id).array("tags").element(of.tag);
  all.member("summary", of.summary);
  if (of.access == route_access::everybody)
    all.raw("security", "[]");
  if (of.access == route_access::admins)
    all.member("description", "With API keys it takes an admin's.");
  append_parameters(all.key("parameters"), of);
  if (!of.request.empty()) {
    auto body = all.object("requestBody");
    auto content = body.member("required", true).object("content");
    add_media(content, of.takes, of.request);
  }
  append_responses(all.key("responses"), of);
}

/// Appends the operations of all paths, each path once, in the order of the list.
void append_paths(json_buffer& out) {
  const auto all = api_operations();
  json_object paths{out};
  for (size_t i = 0; i < all.size(); ++i) {
    const auto same = [&](const api_operation& each) { return each.path == all[i].path; };
    if (std::ranges::any_of(all.first(i), same))
      continue;
    auto path = paths.object(all[i].path);
    for (const auto& each : all)
      if (same(each))
        add_operation(path, each);
  }
}

void append_document(json_buffer& out) {
  json_object all{out};
  all.member("openapi", "3.1.0")
      .object("info")
      .member("title", "Troupe")
      .member("version", version)
      .member("description", "An actor engine for AI chat. docs/http.md says more.");
  append_paths(all.raw("security", R"([{"bearer":[]},{"key":[]},{}])").key("paths"));
  std::string on_one_line{api_schemas()};
  std::ranges::replace(on_one_line, '\n', ' ');
  all.object("components")
      .raw("securitySchemes", R"({"bearer":{"type":"http","scheme":"bearer"},)"
                              R"("key":{"type":"apiKey","in":"header","name":"x-api-key"}})")
      .raw("schemas", on_one_line);
}

std::string make_document() {
  json_buffer out;
  append_document(out);
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

#include "messages/wire/mcp/answering.hpp"

#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe::mcp {

namespace {

void append_capabilities(json_buffer& out, const server_capabilities& offered) {
  std::string_view between;
  const auto add = [&](bool is_offered, std::string_view member) {
    if (!is_offered)
      return;
    append_raw(out, between);
    append_raw(out, member);
    between = ",";
  };
  add(offered.tools, R"("tools":{"listChanged":true})");
  add(offered.resources, offered.resources_subscribe
                             ? R"("resources":{"subscribe":true,"listChanged":true})"
                             : R"("resources":{"listChanged":true})");
  add(offered.prompts, R"("prompts":{"listChanged":true})");
  add(offered.logging, R"("logging":{})");
  add(offered.completions, R"("completions":{})");
}

void append_text(json_buffer& out, std::string_view key, std::string_view value) {
  if (value.empty())
    return;
  out.push_back(',');
  append_json(out, key);
  out.push_back(':');
  append_json(out, value);
}

} // namespace

std::string initialize_result_of(const server_status& server) {
  json_buffer out;
  append_raw(out, R"({"protocolVersion":)");
  append_json(out, server.protocol_version);
  append_raw(out, R"(,"capabilities":{)");
  append_capabilities(out, server.capabilities);
  append_raw(out, R"(},"serverInfo":{"name":)");
  append_json(out, server.server_name);
  append_text(out, "title", server.server_title);
  append_raw(out, R"(,"version":)");
  append_json(out, server.server_version);
  append_raw(out, "}");
  append_text(out, "instructions", server.instructions);
  append_raw(out, "}");
  return std::string{view(out)};
}

failure parse(std::string_view params, asked_call& out) {
  const json_source source{params};
  std::string_view name, arguments, meta, token, trace;
  read_members(source.root(), {{"name", &name}, {"arguments", &arguments}, {"_meta", &meta}});
  read_members(meta, {{"progressToken", &token}, {"traceparent", &trace}});
  if (kind_of(name) != json_kind::string)
    return {errc::request_invalid, "tools/call has no name"};
  if (!is_nothing(arguments) && kind_of(arguments) != json_kind::object)
    return {errc::request_invalid, "the arguments of tools/call are no object"};
  out = {json_string(name), is_nothing(arguments) ? "{}" : std::string{arguments},
         is_nothing(token) ? "" : std::string{token}, json_string(trace)};
  return {};
}

std::string progress_params(std::string_view token, double value, double total,
                            std::string_view message) {
  json_buffer out;
  append_raw(out, R"({"progressToken":)");
  append_raw(out, token);
  append_raw(out, R"(,"progress":)");
  append_json(out, value);
  if (total > 0) {
    append_raw(out, R"(,"total":)");
    append_json(out, total);
  }
  append_text(out, "message", message);
  append_raw(out, "}");
  return std::string{view(out)};
}

} // namespace troupe::mcp

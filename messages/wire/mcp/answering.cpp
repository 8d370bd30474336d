#include "messages/wire/mcp/answering.hpp"

#include "messages/json_object.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe::mcp {

namespace {

void append_capabilities(json_buffer& out, const server_capabilities& offered) {
  json_object all{out};
  const auto add = [&](bool is_offered, std::string_view name, std::string_view value) {
    if (is_offered)
      all.raw(name, value);
  };
  constexpr std::string_view changes = R"({"listChanged":true})";
  add(offered.tools, "tools", changes);
  add(offered.resources, "resources",
      offered.resources_subscribe ? R"({"subscribe":true,"listChanged":true})" : changes);
  add(offered.prompts, "prompts", changes);
  add(offered.logging, "logging", "{}");
  add(offered.completions, "completions", "{}");
}

} // namespace

std::string initialize_result_of(const server_status& server) {
  return json_text([&](json_object& out) {
    append_capabilities(out.member("protocolVersion", server.protocol_version).key("capabilities"),
                        server.capabilities);
    out.object("serverInfo")
        .member("name", server.server_name)
        .given("title", server.server_title)
        .member("version", server.server_version);
    out.given("instructions", server.instructions);
  });
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
  return json_text([&](json_object& out) {
    out.raw("progressToken", token).member("progress", value);
    if (total > 0)
      out.member("total", total);
    out.given("message", message);
  });
}

} // namespace troupe::mcp

#include "messages/wire/mcp/elicitation.hpp"

#include "messages/json_object.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_schema.hpp"
#include "messages/wire/mcp/payload.hpp"

namespace troupe::mcp {

namespace {

constexpr std::string_view elicitation_create_method = "elicitation/create";

failure read_url(std::string_view url, std::string_view id, elicitation_request& out) {
  out.url = json_string(url);
  out.elicitation_id = json_string(id);
  if (out.url.empty())
    return broken(elicitation_create_method, "there is no url");
  return out.elicitation_id.empty() ? broken(elicitation_create_method, "there is no elicitationId")
                                    : failure{};
}

/// Returns the slice of a member; "" if `object` is no object or lacks the member.
std::string_view member(std::string_view object, std::string_view key) {
  std::string_view value;
  read_members(object, {{key, &value}});
  return value;
}

} // namespace

failure parse(std::string_view params, elicitation_request& out) {
  json_source source{params};
  if (auto bad = check_object(elicitation_create_method, source))
    return bad;
  std::string_view mode, message, schema, url, id;
  read_members(source.root(), {{"mode", &mode},
                               {"message", &message},
                               {"requestedSchema", &schema},
                               {"url", &url},
                               {"elicitationId", &id}});
  out = {};
  auto how = json_string(mode);
  out.is_url = how == "url";
  if (!is_nothing(mode) && !out.is_url && how != "form")
    return broken(elicitation_create_method, "the mode is neither \"form\" nor \"url\"");
  if (kind_of(message) != json_kind::string)
    return broken(elicitation_create_method, "there is no message");
  out.message = json_string(message);
  if (out.is_url)
    return read_url(url, id, out);
  if (kind_of(schema) != json_kind::object)
    return broken(elicitation_create_method, "there is no object \"requestedSchema\"");
  out.requested_schema = schema;
  return {};
}

std::string with_defaults(std::string_view requested_schema, std::string_view content) {
  json_source schema{requested_schema};
  std::string filled{content.empty() ? "{}" : content};
  if (!is_json_object(filled)) // check_content then reports it
    return filled;
  for_each_member(member(schema.root(), "properties"), [&](std::string_view key, json_value value) {
    std::string_view preset;
    read_members(value, {{"default", &preset}});
    json_source known{filled};
    if (!preset.empty() && member(known.root(), key).empty())
      filled = with_member(filled, key, preset);
    return true;
  });
  return filled;
}

failure check_content(std::string_view requested_schema, std::string_view content) {
  json_source schema{requested_schema};
  json_source values{content};
  if (kind_of(values.root()) != json_kind::object)
    return {errc::request_invalid, "the content must be a JSON object"};
  if (kind_of(schema.root()) != json_kind::object)
    return broken(elicitation_create_method, "there is no object \"requestedSchema\"");
  auto mismatch = schema_mismatch(schema.root(), values.root());
  return mismatch.empty() ? failure{} : failure{errc::request_invalid, "the content: " + mismatch};
}

std::string elicitation_result(std::string_view action, std::string_view content) {
  return json_text([&](json_object& out) {
    out.member("action", action);
    if (!content.empty())
      out.raw("content", content);
  });
}

std::string roots_result(const std::vector<mcp_root>& roots) {
  return json_text([&](json_object& out) {
    out.array("roots").each(roots, [](json_buffer& list, const mcp_root& each) {
      json_object{list}.member("uri", each.uri).given("name", each.name);
    });
  });
}

} // namespace troupe::mcp

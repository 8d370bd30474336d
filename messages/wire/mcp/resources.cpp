#include "messages/wire/mcp/resources.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/wire/mcp/payload.hpp"

namespace troupe::mcp {

namespace {

constexpr std::string_view resources_list_method = "resources/list";
constexpr std::string_view templates_method = "resources/templates/list";
constexpr std::string_view read_method = "resources/read";
constexpr std::string_view updated_method = "notifications/resources/updated";

failure read_resource(std::string_view text, size_t index, resource& out) {
  std::string_view uri, name, title, description, mime_type, size, annotations;
  read_members(text, {{"uri", &uri},
                      {"name", &name},
                      {"title", &title},
                      {"description", &description},
                      {"mimeType", &mime_type},
                      {"size", &size},
                      {"annotations", &annotations}});
  out.uri = json_string(uri);
  if (out.uri.empty())
    return broken(resources_list_method, fmt::format("resource {} has no uri", index));
  out.name = json_string(name);
  out.title = json_string(title);
  out.description = json_string(description);
  out.mime_type = json_string(mime_type);
  out.size = static_cast<uint64_t>(std::max(integer_of(size).value_or(0), int64_t{0}));
  if (kind_of(annotations) == json_kind::object)
    out.annotations.text = annotations;
  return {};
}

failure read_template(std::string_view text, size_t index, resource_template& out) {
  std::string_view uri_template, name, title, description, mime_type;
  read_members(text, {{"uriTemplate", &uri_template},
                      {"name", &name},
                      {"title", &title},
                      {"description", &description},
                      {"mimeType", &mime_type}});
  out = {json_string(uri_template), json_string(name), json_string(title), json_string(description),
         json_string(mime_type)};
  if (out.uri_template.empty())
    return broken(templates_method, fmt::format("template {} has no uriTemplate", index));
  return {};
}

failure read_contents(std::string_view element, size_t index, resource_contents& out) {
  std::string_view uri, mime_type, text, blob;
  read_members(element,
               {{"uri", &uri}, {"mimeType", &mime_type}, {"text", &text}, {"blob", &blob}});
  out.is_binary = kind_of(text) != json_kind::string;
  if (out.is_binary && kind_of(blob) != json_kind::string)
    return broken(read_method, fmt::format("contents[{}] has neither text nor blob", index));
  out.uri = json_string(uri);
  out.mime_type = json_string(mime_type);
  (out.is_binary ? out.blob : out.text) = json_string(out.is_binary ? blob : text);
  return {};
}

} // namespace

std::string uri_params(std::string_view uri) {
  json_buffer out;
  append_raw(out, R"({"uri":)");
  append_json(out, uri);
  out.push_back('}');
  return std::string{view(out)};
}

failure parse(std::string_view result, resources_page& out) {
  json_source source{result};
  if (auto bad = check_object(resources_list_method, source))
    return bad;
  std::string_view resources, cursor;
  read_members(source.root(), {{"resources", &resources}, {"nextCursor", &cursor}});
  out = {};
  out.next_cursor = json_string(cursor);
  return read_entries(resources_list_method, "resources", resources, read_resource, out.resources,
                      out.left_out);
}

failure parse(std::string_view result, templates_page& out) {
  json_source source{result};
  if (auto bad = check_object(templates_method, source))
    return bad;
  std::string_view templates, cursor;
  read_members(source.root(), {{"resourceTemplates", &templates}, {"nextCursor", &cursor}});
  out = {};
  out.next_cursor = json_string(cursor);
  return read_entries(templates_method, "resourceTemplates", templates, read_template,
                      out.templates, out.left_out);
}

failure parse(std::string_view result, std::vector<resource_contents>& out) {
  json_source source{result};
  if (auto bad = check_object(read_method, source))
    return bad;
  std::string_view contents;
  read_members(source.root(), {{"contents", &contents}});
  out.clear();
  return read_array(read_method, "contents", contents, [&](std::string_view text, size_t index) {
    return read_contents(text, index, out.emplace_back());
  });
}

failure parse_updated(std::string_view params, std::string& uri) {
  json_source source{params};
  if (auto bad = check_object(updated_method, source))
    return bad;
  std::string_view value;
  read_members(source.root(), {{"uri", &value}});
  uri = json_string(value);
  return uri.empty() ? broken(updated_method, "there is no uri") : failure{};
}

std::string to_text(const std::vector<resource_contents>& contents) {
  std::string text;
  for (const auto& each : contents) {
    if (&each != &contents.front())
      text += '\n';
    if (each.is_binary)
      text += fmt::format("[Binary content: {}]",
                          each.mime_type.empty() ? "unknown type" : each.mime_type);
    else
      text += each.text;
  }
  return text;
}

} // namespace troupe::mcp

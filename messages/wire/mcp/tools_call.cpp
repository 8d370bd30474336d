#include "messages/wire/mcp/tools_call.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/wire/json_source.hpp"

namespace troupe::mcp {

namespace {

failure broken(const std::string& what) {
  return {errc::server_protocol, "tools/call: " + what};
}

/// Returns how many bytes base64 text stands for.
size_t decoded_size(std::string_view base64) {
  auto text = json_string(base64);
  auto padding = text.size() - std::min(text.find('='), text.size());
  return (text.size() - padding) * 3 / 4;
}

/// Returns a note for what a model can not read here: "[image image/png, 1234 bytes]".
std::string binary_note(std::string_view what, std::string_view media_type,
                        std::string_view base64) {
  auto type = json_string(media_type);
  return fmt::format("[{}{}{}, {} bytes]", what, type.empty() ? "" : " ", type,
                     decoded_size(base64));
}

/// The members of one content part, as they stand in its text.
struct content_part {
  std::string_view type;
  std::string_view text;
  std::string_view data;
  std::string_view media_type;
  std::string_view resource;
  std::string_view name;
  std::string_view uri;
};

std::string resource_text(std::string_view resource) {
  std::string_view text, blob, uri, media_type;
  read_members(resource,
               {{"text", &text}, {"blob", &blob}, {"uri", &uri}, {"mimeType", &media_type}});
  if (kind_of(text) == json_kind::string)
    return json_string(text);
  return binary_note("resource " + json_string(uri), media_type, blob);
}

std::string link_text(const content_part& part) {
  auto name = json_string(part.name);
  auto uri = json_string(part.uri);
  return name.empty() ? uri : name + ": " + uri;
}

/// What the parts of one result come to.
struct content {
  std::string text;
  bool has_text = false; ///< some part was text, not only a note
  size_t parts = 0;
  failure bad;

  void add(const std::string& line) {
    if (parts++ > 0)
      text += '\n';
    text += line;
  }

  bool read(std::string_view element);
};

bool content::read(std::string_view element) {
  content_part part;
  read_members(element, {{"type", &part.type},
                         {"text", &part.text},
                         {"data", &part.data},
                         {"mimeType", &part.media_type},
                         {"resource", &part.resource},
                         {"name", &part.name},
                         {"uri", &part.uri}});
  auto type = json_string(part.type);
  if (type.empty() || (type == "text" && kind_of(part.text) != json_kind::string)) {
    bad = broken(fmt::format("content[{}] has no {}", parts, type.empty() ? "type" : "text"));
    return false;
  }
  has_text |= type == "text" || type == "resource";
  if (type == "text")
    add(json_string(part.text));
  else if (type == "resource")
    add(resource_text(part.resource));
  else if (type == "resource_link")
    add(link_text(part));
  else if (type == "image" || type == "audio")
    add(binary_note(type, part.media_type, part.data));
  else
    add("[" + type + "]");
  return true;
}

} // namespace

std::string tools_call_params(std::string_view tool, std::string_view arguments, int64_t token) {
  json_buffer out;
  append_raw(out, R"({"name":)");
  append_json(out, tool);
  append_raw(out, R"(,"arguments":)");
  append_raw(out, arguments.empty() ? "{}" : arguments);
  append_raw(out, R"(,"_meta":{"progressToken":)");
  append_json(out, token);
  append_raw(out, "}}");
  return std::string{view(out)};
}

std::string cancelled_params(int64_t request_id, std::string_view reason) {
  json_buffer out;
  append_raw(out, R"({"requestId":)");
  append_json(out, request_id);
  if (!reason.empty()) {
    append_raw(out, R"(,"reason":)");
    append_json(out, reason);
  }
  out.push_back('}');
  return std::string{view(out)};
}

failure parse(std::string_view result, call_result& out) {
  json_source source{result};
  if (!source.fault().empty())
    return broken("the answer is not JSON: " + source.fault());
  if (kind_of(source.root()) != json_kind::object)
    return broken("the answer is no object");
  std::string_view parts, structured, is_error;
  read_members(source.root(),
               {{"content", &parts}, {"structuredContent", &structured}, {"isError", &is_error}});
  if (!is_nothing(parts) && kind_of(parts) != json_kind::array)
    return broken("content is no array");
  content read;
  for_each_element(parts, [&](std::string_view element) { return read.read(element); });
  if (read.bad)
    return read.bad;
  if (!read.has_text && !is_nothing(structured))
    read.add(std::string{structured});
  out = {is_error == "true", std::move(read.text)};
  return {};
}

failure parse(std::string_view params, progress& out) {
  json_source source{params};
  if (!source.fault().empty())
    return {errc::server_protocol, "notifications/progress: not JSON: " + source.fault()};
  std::string_view token, value, total, message;
  read_members(
      source.root(),
      {{"progressToken", &token}, {"progress", &value}, {"total", &total}, {"message", &message}});
  auto number = id_of(token);
  if (!number)
    return {errc::server_protocol, "notifications/progress: the progressToken is not ours"};
  out = {*number, number_of(value), number_of(total), json_string(message)};
  return {};
}

} // namespace troupe::mcp

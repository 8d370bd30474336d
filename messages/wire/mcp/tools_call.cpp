#include "messages/wire/mcp/tools_call.hpp"

#include <fmt/format.h>

#include "messages/json_object.hpp"
#include "messages/wire/mcp/content.hpp"
#include "messages/wire/mcp/payload.hpp"

namespace troupe::mcp {

namespace {

constexpr std::string_view call_method = "tools/call";
constexpr std::string_view progress_method = "notifications/progress";

/// Reads a CallToolResult in one pass.
struct result_reader {
  std::string text;      ///< the text of all parts
  bool has_text = false; ///< some part was text, not only a note
  size_t parts = 0;
  std::string_view structured;
  std::string_view is_error;
  failure bad;

  void add(std::string_view line) {
    if (parts++ > 0)
      text += '\n';
    text += line;
  }

  bool read_part(json_value element) {
    content_text part;
    if (auto missing = read_content(element, part); !missing.empty()) {
      bad = broken(call_method, fmt::format("content[{}] has no {}", parts, missing));
      return false;
    }
    has_text |= part.is_text;
    add(part.text);
    return true;
  }

  void read_parts(json_value list) {
    text.clear(); // of a repeated key the last counts
    has_text = false;
    parts = 0;
    if (list.kind() == json_kind::array)
      list.for_each_element([this](json_value element) { return read_part(element); });
    else if (list.kind() != json_kind::null)
      bad = broken(call_method, "there is no array \"content\"");
  }

  bool read_member(std::string_view key, json_value value) {
    if (key == "content")
      read_parts(value);
    else if (key == "structuredContent")
      structured = value;
    else if (key == "isError")
      is_error = value;
    return !bad;
  }

  void read(std::string_view object) {
    const auto whole = for_each_member(
        object, [this](std::string_view key, json_value value) { return read_member(key, value); });
    if (!whole && !bad)
      bad = broken(call_method, "it breaks off");
    if (is_nothing(structured))
      structured = {};
    else if (!has_text)
      add(structured);
  }
};

} // namespace

std::string tools_call_params(std::string_view tool, std::string_view arguments, int64_t token,
                              std::string_view traceparent) {
  return json_text([&](json_object& out) {
    out.member("name", tool)
        .raw("arguments", arguments.empty() ? "{}" : arguments)
        .object("_meta")
        .member("progressToken", token)
        .given("traceparent", traceparent);
  });
}

std::string cancelled_params(int64_t request_id, std::string_view reason) {
  return json_text(
      [&](json_object& out) { out.member("requestId", request_id).given("reason", reason); });
}

failure parse(std::string_view result, call_result& out) {
  const auto source = json_source::unchecked(result);
  if (auto bad = check_object(call_method, source))
    return bad;
  result_reader in;
  in.read(source.root());
  if (in.bad)
    return std::move(in.bad);
  out = {in.is_error == "true", std::move(in.text), std::string{in.structured}};
  return {};
}

failure parse(std::string_view params, progress& out) {
  json_source source{params};
  if (auto bad = check_object(progress_method, source))
    return bad;
  std::string_view token, value, total, message;
  read_members(
      source.root(),
      {{"progressToken", &token}, {"progress", &value}, {"total", &total}, {"message", &message}});
  auto number = id_of(token);
  if (!number)
    return broken(progress_method, "the progressToken is not ours");
  out = {*number, number_of(value), number_of(total), json_string(message)};
  return {};
}

std::string url_elicitation_text(std::string_view error_data) {
  json_source source{error_data};
  std::string_view elicitations;
  read_members(source.root(), {{"elicitations", &elicitations}});
  std::string text;
  for_each_element(elicitations, [&](std::string_view element) {
    std::string_view url, message;
    read_members(element, {{"url", &url}, {"message", &message}});
    if (kind_of(url) != json_kind::string)
      return true;
    auto why = json_string(message);
    text += "\n" + why + (why.empty() ? "" : ": ") + json_string(url);
    return true;
  });
  return text.empty() ? text : "The server asks the user to open a page first:" + text;
}

} // namespace troupe::mcp

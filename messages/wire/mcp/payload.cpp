#include "messages/wire/mcp/payload.hpp"

#include <fmt/format.h>

#include "messages/json.hpp"

namespace troupe::mcp {

namespace {

constexpr std::string_view space = " \t\r\n";

void append_member(json_buffer& out, std::string_view key, std::string_view value) {
  append_json(out, key);
  out.push_back(':');
  append_raw(out, value);
}

/// Returns `object` with one more member, as the last one.
std::string appended(std::string_view object, std::string_view key, std::string_view value) {
  auto others = object.substr(0, object.size() - 1);
  others = others.substr(0, others.find_last_not_of(space) + 1);
  json_buffer out;
  append_raw(out, others);
  if (others.size() > 1)
    out.push_back(',');
  append_member(out, key, value);
  out.push_back('}');
  return std::string{view(out)};
}

std::string replaced(std::string_view object, std::string_view key, std::string_view value) {
  json_buffer out;
  for_each_member(object, [&](std::string_view name, std::string_view old) {
    if (name == key)
      return true;
    out.push_back(out.size() == 0 ? '{' : ',');
    append_member(out, name, old);
    return true;
  });
  out.push_back(out.size() == 0 ? '{' : ',');
  append_member(out, key, value);
  out.push_back('}');
  return std::string{view(out)};
}

/// Returns the source's object, or an empty object for any other text.
std::string_view object_of(const json_source& source) {
  return kind_of(source.root()) == json_kind::object ? source.root() : "{}";
}

} // namespace

failure broken(std::string_view method, std::string_view what) {
  return {errc::server_protocol, fmt::format("{}: {}", method, what)};
}

failure check_object(std::string_view method, const json_source& source) {
  if (!source.fault().empty())
    return broken(method, "not JSON: " + source.fault());
  if (kind_of(source.root()) != json_kind::object)
    return broken(method, "a JSON object is expected");
  return {};
}

failure read_array(std::string_view method, std::string_view name, std::string_view array,
                   const element_reader& read) {
  if (kind_of(array) != json_kind::array)
    return broken(method, fmt::format("there is no array \"{}\"", name));
  failure bad;
  size_t index = 0;
  for_each_element(array, [&](std::string_view element) {
    bad = read(element, index++);
    return !bad;
  });
  return bad;
}

std::string with_member(std::string_view object, std::string_view key, std::string_view value) {
  json_source source{object};
  std::string_view old;
  read_members(object_of(source), {{key, &old}});
  return old.empty() ? appended(object_of(source), key, value)
                     : replaced(object_of(source), key, value);
}

std::string with_meta(std::string_view object, std::string_view key, std::string_view value) {
  json_source source{object};
  std::string_view meta;
  read_members(source.root(), {{"_meta", &meta}});
  return with_member(object, "_meta", with_member(meta, key, value));
}

} // namespace troupe::mcp

#include "messages/wire/provider/json_members.hpp"

#include <algorithm>

namespace troupe {

void put_member(json_members& into, std::string_view key, std::string_view json) {
  const auto known = std::ranges::find(into, key, &json_members::value_type::first);
  if (known == into.end())
    into.emplace_back(key, json);
  else
    known->second = json;
}

const std::string* find_member(const json_members& in, std::string_view key) {
  const auto found = std::ranges::find(in, key, &json_members::value_type::first);
  return found == in.end() ? nullptr : &found->second;
}

void append_member(json_buffer& out, std::string_view key, std::string_view json) {
  if (json.empty())
    return;
  out.push_back(',');
  append_json(out, key);
  out.push_back(':');
  append_raw(out, json);
}

void add_member(std::string& members, std::string_view key, std::string_view json) {
  members.append(members.empty() ? "" : ",").append(to_json(key)).append(":").append(json);
}

} // namespace troupe

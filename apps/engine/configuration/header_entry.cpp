#include "apps/engine/configuration/header_entry.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>

namespace troupe {

namespace {

bool is_field_name(std::string_view name) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::all_of(name.begin(), name.end(), [=](unsigned char c) {
    return (c < 0x80 && std::isalnum(c) != 0) || others.find(static_cast<char>(c)) != others.npos;
  });
}

} // namespace

void read_headers(object_reader& in, headers& out) {
  std::map<std::string, std::string> fields;
  in.read("headers", fields);
  for (auto& [name, value] : fields) {
    if (!is_field_name(name))
      in.fail("headers", "holds a name that no header can have");
    if (std::any_of(value.begin(), value.end(), [](unsigned char c) { return c < 0x20 && c != 9; }))
      in.fail("headers." + name, "must not hold control characters");
    out.push_back({name, std::move(value)});
  }
}

} // namespace troupe

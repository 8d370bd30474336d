#include "apps/troupe/mcp/mcp_options.hpp"

namespace troupe {

namespace {

/// Does the separator stand after a name?
bool has_name(const std::string& given, char separator) {
  auto at = given.find(separator);
  return at != 0 && at != given.npos;
}

} // namespace

std::string name_and_value(const std::string& given) {
  return has_name(given, '=') ? "" : "each is a name, =, and a value, as in city=Oslo";
}

std::string name_and_text(const std::string& given) {
  return has_name(given, ':') ? "" : "must be 'Name: value'";
}

} // namespace troupe

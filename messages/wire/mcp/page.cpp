#include "messages/wire/mcp/page.hpp"

#include "messages/json.hpp"

namespace troupe::mcp {

std::string page_params(std::string_view cursor) {
  if (cursor.empty())
    return "{}";
  json_buffer out;
  append_raw(out, R"({"cursor":)");
  append_json(out, cursor);
  out.push_back('}');
  return std::string{view(out)};
}

} // namespace troupe::mcp

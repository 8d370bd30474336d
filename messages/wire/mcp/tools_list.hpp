// MCP tools/list (specification 2025-11-25, server/tools).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe::mcp {

/// One tool as its server describes it.
struct tool {
  std::string name;
  std::string title;
  std::string description;
  std::string input_schema;  ///< JSON text of an object, byte for byte as received
  std::string output_schema; ///< JSON text; "" if absent

  static constexpr auto fields() {
    return std::make_tuple(field("name", &tool::name), field("title", &tool::title),
                           field("description", &tool::description),
                           field("inputSchema", &tool::input_schema),
                           field("outputSchema", &tool::output_schema));
  }
};

/// One page of the list.
struct tools_page {
  std::vector<tool> tools;
  std::string next_cursor; ///< "" on the last page
};

/// Returns the params of the request. @param cursor "" for the first page
std::string tools_list_params(std::string_view cursor);

/// Parses one page; a tool without name or with a schema that is no object is an error naming it.
failure parse(std::string_view result, tools_page& out);

} // namespace troupe::mcp

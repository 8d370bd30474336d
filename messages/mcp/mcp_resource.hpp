// Resources of an MCP server, and resource templates (specification 2025-11-25, server/resources).
#pragma once

#include <cstdint>
#include <string>

#include "messages/fields.hpp"
#include "messages/raw_json.hpp"

namespace troupe::mcp {

/// One resource of resources/list.
struct resource {
  std::string uri;
  std::string name;
  std::string title;
  std::string description;
  std::string mime_type;
  uint64_t size = 0;    ///< bytes; 0 if unknown
  raw_json annotations; ///< empty if absent
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("uri", &resource::uri), field("name", &resource::name),
                           field("title", &resource::title),
                           field("description", &resource::description),
                           field("mimeType", &resource::mime_type), field("size", &resource::size),
                           field("annotations", &resource::annotations));
  }
};

/// One entry of resources/templates/list.
struct resource_template {
  std::string uri_template; ///< RFC 6570
  std::string name;
  std::string title;
  std::string description;
  std::string mime_type;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("uriTemplate", &resource_template::uri_template),
                           field("name", &resource_template::name),
                           field("title", &resource_template::title),
                           field("description", &resource_template::description),
                           field("mimeType", &resource_template::mime_type));
  }
};

} // namespace troupe::mcp

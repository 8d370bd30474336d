// MCP resources (specification 2025-11-25, server/resources).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/mcp/mcp_resource.hpp"

namespace troupe::mcp {

/// One page of resources/list.
struct resources_page {
  std::vector<resource> resources;
  std::string next_cursor;                ///< "" on the last page
  std::vector<std::string> left_out = {}; ///< the faults of entries that cannot be read
};

/// One page of resources/templates/list.
struct templates_page {
  std::vector<resource_template> templates;
  std::string next_cursor;                ///< "" on the last page
  std::vector<std::string> left_out = {}; ///< the faults of entries that cannot be read
};

/// One element of a resources/read result: text or binary.
struct resource_contents {
  std::string uri;
  std::string mime_type;
  std::string text;
  std::string blob;       ///< base64
  bool is_binary = false; ///< the content is `blob`, else `text`
};

/// Returns the params of resources/read, /subscribe and /unsubscribe.
std::string uri_params(std::string_view uri);

failure parse(std::string_view result, resources_page& out);
failure parse(std::string_view result, templates_page& out);
failure parse(std::string_view result, std::vector<resource_contents>& out);

/// Parses the params of notifications/resources/updated: the uri.
failure parse_updated(std::string_view params, std::string& uri);

/// Returns the contents as one text for a model: text parts joined by newlines, "[Binary content:
/// MIME]" for each other part.
std::string to_text(const std::vector<resource_contents>& contents);

} // namespace troupe::mcp

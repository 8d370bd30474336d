#include "apps/engine/http/requests/route_tables.hpp"

#include <array>

namespace troupe {

std::span<const route_table> route_tables() {
  static const std::array tables{turn_routes(),      completions_routes(),  websocket_routes(),
                                 status_routes(),    conversation_routes(), mcp_routes(),
                                 page_routes(),      claude_routes(),       response_routes(),
                                 embedding_routes(), openapi_routes(),      file_routes(),
                                 ollama_routes()};
  return tables;
}

} // namespace troupe

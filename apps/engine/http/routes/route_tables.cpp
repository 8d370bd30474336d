#include "apps/engine/http/routes/route_tables.hpp"

#include <array>

#include "apps/engine/http/clients/claude_routes.hpp"
#include "apps/engine/http/clients/completions_routes.hpp"
#include "apps/engine/http/clients/embedding_routes.hpp"
#include "apps/engine/http/clients/ollama_routes.hpp"
#include "apps/engine/http/clients/response_routes.hpp"
#include "apps/engine/http/files/file_routes.hpp"
#include "apps/engine/http/openapi/openapi_document.hpp"
#include "apps/engine/http/routes/conversations/conversation_routes.hpp"
#include "apps/engine/http/routes/mcp/mcp_routes.hpp"
#include "apps/engine/http/routes/page_routes.hpp"
#include "apps/engine/http/routes/status/status_routes.hpp"
#include "apps/engine/http/routes/turn_routes.hpp"
#include "apps/engine/http/websocket/ws_route.hpp"

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

#include "apps/engine/http/requests/route_tables.hpp"

#include <array>
#include <string>

#include "apps/engine/http/requests/request_refusal.hpp"
#include "apps/engine/http/routes/page_reply.hpp"
#include "messages/version.hpp"

namespace troupe {

namespace {

void get_root(http_call& in) {
  if (accepts_html(find_header(in.request.fields, "accept")))
    if (const auto* page = find_page_asset(in.config, "/"))
      return reply_with_page(in, *page);
  in.response->send(
      200, {{"content-type", "text/plain; charset=utf-8"}, {"vary", "Accept, Accept-Encoding"}},
      "Troupe " + std::string{version} +
          "\nPOST /api/chat                 a turn as a UI message stream"
          "\nPOST /v1/sessions/{id}/turns   a turn as native events"
          "\nPOST /v1/chat/completions      for OpenAI's clients"
          "\nGET  /v1/status                what is going on"
          "\nGET  /metrics                  the same and more, for Prometheus"
          "\nGET  /v1/conversations         what is kept; more below it"
          "\nGET  /v1/mcp/servers           MCP servers; more below /v1/mcp\n" +
          in.config.page_note);
}

void get_asset(http_call& in) {
  if (const auto* file = find_page_asset(in.config, in.request.path))
    return reply_with_page(in, *file);
  refuse_request(in.request.path, *in.response,
                 {errc::not_found, "There is nothing at " + in.request.path + '.'}, {});
}

constexpr std::array page_rows{
    http_route{"GET", "/", get_root, route_access::everybody},
    http_route{"GET", "/page/assets/{}", get_asset, route_access::everybody},
};

} // namespace

route_table page_routes() {
  return page_rows;
}

} // namespace troupe

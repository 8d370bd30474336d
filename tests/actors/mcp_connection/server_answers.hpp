// The server's side of an MCP channel, played by the test.
#pragma once

#include <string>
#include <vector>

#include "messages/json.hpp"
#include "tests/support/deterministic.hpp"
#include "tests/support/fake_ports.hpp"

namespace troupe::test {

inline std::string initialize_answer(bool tools = true) {
  return std::string{R"({"protocolVersion":"2025-11-25","capabilities":{)"} +
         (tools ? R"("tools":{"listChanged":true})" : "") +
         R"(},"serverInfo":{"name":"fake","version":"1"}})";
}

/// The same with capabilities as they stand in JSON, without the braces.
inline std::string initialize_answer_with(const std::string& capabilities) {
  return R"({"protocolVersion":"2025-11-25","capabilities":{)" + capabilities +
         R"(},"serverInfo":{"name":"fake","title":"A fake","version":"1"},)" +
         R"("instructions":"be nice"})";
}

/// A page of tools/list with tools of these names. @param cursor "" on the last page
inline std::string tools_page(const std::vector<std::string>& names,
                              const std::string& cursor = "") {
  std::string page;
  for (const auto& each : names)
    page += (page.empty() ? "" : ",") + (R"({"name":")" + each) +
            R"(","inputSchema":{"type":"object"}})";
  page = R"({"tools":[)" + page + ']';
  return page + (cursor.empty() ? "" : R"(,"nextCursor":")" + cursor + '"') + '}';
}

/// The answer of a tool.
inline std::string tool_answer(const std::string& text, bool is_error = false) {
  return R"({"content":[{"type":"text","text":)" + to_json(text) + "}]" +
         (is_error ? R"(,"isError":true})" : "}");
}

/// Goes through the whole handshake of a link that was opened.
inline void shake_hands(deterministic& world, fake_mcp::link& link,
                        const std::vector<std::string>& tools) {
  link.signal(mcp_signal::opened);
  world.run();
  link.result(link.last("initialize").request_id, initialize_answer());
  world.run();
  link.result(link.last("tools/list").request_id, tools_page(tools));
  world.run();
}

/// The same with these capabilities; answers tools/list with `page` if there are tools.
inline void shake_hands_with(deterministic& world, fake_mcp::link& link,
                             const std::string& capabilities, const std::string& page) {
  link.signal(mcp_signal::opened);
  world.run();
  link.result(link.last("initialize").request_id, initialize_answer_with(capabilities));
  world.run();
  if (auto listing = link.last("tools/list").request_id)
    link.result(listing, page);
  world.run();
}

/// A JSON-RPC error that answers the request.
inline std::string refusal(int64_t request_id, int64_t code, const std::string& message) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(request_id) + R"(,"error":{"code":)" +
         std::to_string(code) + R"(,"message":)" + to_json(message) + "}}";
}

/// Everything with that method that was sent, in order.
inline std::vector<mcp_outbound> all_sent(const fake_mcp::link& link, const std::string& method) {
  std::vector<mcp_outbound> found;
  for (const auto& each : link.sent)
    if (each.method == method)
      found.push_back(each);
  return found;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace troupe::test

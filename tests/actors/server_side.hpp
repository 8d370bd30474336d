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

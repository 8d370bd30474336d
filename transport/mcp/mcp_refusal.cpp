#include "transport/mcp/mcp_refusal.hpp"

#include <algorithm>

#include "messages/wire/mcp/jsonrpc_peek.hpp"

namespace troupe {

namespace {

/// Codes that servers choose themselves (JSON-RPC 2.0, section 5.1), and "invalid request", which
/// the Python SDK answers. The others say of a request what is wrong with it.
bool may_be_of_session(int64_t code) {
  constexpr int64_t elicitation_required = -32042; // MCP's own: a page has to be visited before
  return (code >= -32099 && code <= -32000 && code != elicitation_required) || code == -32600;
}

} // namespace

mcp_refusal read_refusal(uint16_t status, std::string_view text, int64_t request) {
  const auto ids = jsonrpc::response_ids(text);
  const auto said = jsonrpc::look_closer(text, request);
  const bool answers_us = request != 0 && std::ranges::count(ids, request) > 0;
  // Without the id it may be an error of another protocol, such as that of OAuth.
  const bool is_error = said.refuses && (answers_us || said.code < 0);
  return {status, is_error, answers_us, said.code, is_error ? said.words : std::string{text}};
}

bool shows_lost_session(const mcp_refusal& refusal) {
  if (refusal.status == 404)
    return !refusal.answers_us || may_be_of_session(refusal.code);
  return refusal.status == 400 && refusal.is_error && refusal.code == -32000 && !refusal.answers_us;
}

bool may_show_lost_session(const mcp_refusal& refusal) {
  if (refusal.status < 300 || refusal.answers_us)
    return may_be_of_session(refusal.code);
  return refusal.status == 400 || refusal.status == 401 || refusal.status == 404 ||
         refusal.status == 503;
}

} // namespace troupe

#include "actors/mcp_connection/mcp_unread_messages.hpp"

#include <fmt/format.h>

#include "actors/mcp_connection/mcp_connection_state.hpp"
#include "messages/utf8.hpp"

namespace troupe {

namespace {

constexpr uint32_t most_noted = 10;
constexpr size_t noted_bytes = 200;
constexpr size_t searched_bytes = 4096; // for secrets: one that is cut off is not found

} // namespace

void mcp_unread_messages::start() {
  reason_.clear();
  noted_ = 0;
}

/// A response that cannot be read ends its request. Anything else may be a line of a log; deadlines
/// cover what it may have been.
void mcp_unread_messages::take(const jsonrpc::malformed& bad, std::string_view text) {
  reason_ = bad.reason;
  at_ = connection_.now();
  note("cannot be read: " + bad.reason, text);
  if (bad.id != 0)
    fail(bad.id, bad.reason);
}

void mcp_unread_messages::note(std::string_view reason, std::string_view text) {
  if (noted_ == most_noted)
    return;
  ++noted_;
  const auto shown = connection_.secrets.blacken(std::string{text.substr(0, searched_bytes)});
  connection_.note(fmt::format("{}: {}", reason, utf8_prefix(shown, noted_bytes)));
  connection_.report();
}

void mcp_unread_messages::fail(int64_t id, const std::string& reason) {
  const auto* pending = connection_.requests.find(id);
  if (pending == nullptr)
    return;
  auto* call = connection_.calls.find(pending->subject);
  failure why{errc::server_protocol,
              fmt::format("its answer to {} cannot be read: {}", pending->method, reason)};
  switch (pending->what) {
  case mcp_request::ping: // that it is answered, in whatever way, is all
    connection_.requests.take(id);
    return;
  case mcp_request::poll: // asked again, it would answer the same
  case mcp_request::task_result:
    connection_.requests.take(id);
    return call ? connection_.calls.fail(*call, why) : void();
  case mcp_request::call:
    if (call != nullptr && call->is_tool)
      why.message += "; the tool has run";
    break;
  default:
    break;
  }
  connection_.on_failed(id, why, false);
}

int64_t mcp_unread_messages::request_of(const jsonrpc::response& answer) {
  if (!answer.is_error || !answer.anonymous)
    return answer.id;
  auto id = connection_.related != 0 ? connection_.related : connection_.requests.only();
  if (connection_.requests.find(id) == nullptr)
    note(fmt::format("an error without an id (code {})", answer.error_code), answer.error_message);
  return id;
}

std::string_view mcp_unread_messages::since(time_point when) const {
  return at_ >= when ? std::string_view{reason_} : std::string_view{};
}

} // namespace troupe

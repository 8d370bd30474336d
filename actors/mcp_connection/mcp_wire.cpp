#include "actors/mcp_connection/mcp_wire.hpp"

#include <algorithm>

#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

int64_t mcp_wire::request(mcp_requests::pending what, const std::string& params) {
  auto id = requests.add(what);
  // The revision is agreed on by `initialize`: one that begins anew may agree on another.
  channel->send({jsonrpc::make_request(id, what.method, params), std::string{what.method}, id,
                 what.what == mcp_request::initialize ? "" : revision});
  wake_by(what.deadline);
  return id;
}

void mcp_wire::notify(std::string_view method, const std::string& params) {
  channel->send({jsonrpc::make_notification(method, params), std::string{method}, 0, revision});
}

void mcp_wire::respond(std::string json) {
  if (channel)
    channel->send({std::move(json), "", 0, revision});
}

void mcp_wire::wake_by(clock::time_point at) {
  if (alarm.wants(at)) // never for `never`
    self->delayed_send(self, std::max(at - now(), clock::duration::zero()), atom::tick_v);
}

} // namespace troupe

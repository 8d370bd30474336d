#include "apps/engine/http/nodes/turn_forwarder.hpp"

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "apps/engine/http/nodes/remote_call.hpp"
#include "apps/engine/http/requests/request_trace.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/cluster/cluster_messages.hpp"

namespace troupe {

namespace {

constexpr uint16_t status_busy = 409;
constexpr uint16_t status_unavailable = 503;

/// Gives the request the id that its answer will have, on whichever node.
void name_request(http_call& in) {
  auto id = request_id_of(in.known);
  auto& fields = in.request.fields;
  std::erase_if(fields, [](const header& each) { return each.name == "x-request-id"; });
  fields.push_back({"x-request-id", std::move(id)});
  in.known = read_known_fields(in.request);
}

/// Says to another node that the turn does not run here.
void deny(http_response& response) {
  send_error(response, {errc::not_owner, ""}, {{std::string{not_taken_field}, "turn"}});
}

/// Runs the row if a turn of its chat runs here.
void take_if_busy(caf::event_based_actor* self, const http_route* row,
                  const std::shared_ptr<http_call>& call) {
  quiet(self);
  auto hub = whereis<session_hub_actor>(self->system(), session_hub_name);
  if (!hub)
    return deny(*call->response);
  self->request(hub, caf::infinite, find_busy_chats{{chat_of(*call)}})
      .then(
          [row, call](const busy_chats& here) {
            if (here.session_ids.empty())
              deny(*call->response);
            else
              row->run(*call);
          },
          [call](const caf::error&) { deny(*call->response); });
}

} // namespace

turn_forwarder::turn_forwarder(forward_setup setup)
    : setup_(std::move(setup)), signature_(setup_.secret) {}

void turn_forwarder::run(const http_route& row, http_call&& in) {
  if (row.turn == turn_place::none)
    return row.run(in);
  name_request(in);
  if (row.turn == turn_place::owner || drains())
    return search(row, std::move(in));
  try_here(row, std::move(in), 0);
}

void turn_forwarder::search(const http_route& row, http_call&& in) {
  spawn_remote_call(*this, row, std::move(in), nullptr, 0);
}

void turn_forwarder::try_here(const http_route& row, http_call&& in, int round) {
  const auto holds = [this](uint16_t status) {
    return status == status_busy || (status == status_unavailable && drains());
  };
  const auto answer = std::make_shared<provisional_answer>(
      in.response, holds, [this, &row, round](http_call&& call, held_answer&& held) {
        spawn_remote_call(*this, row, std::move(call),
                          std::make_unique<held_answer>(std::move(held)), round + 1);
      });
  in.response = answer;
  row.run(in);
  answer->keep(std::move(in));
}

void turn_forwarder::take(const http_route& row, http_call&& in, const forward_terms& terms) {
  if (terms.to == 0)
    return drains() ? deny(*in.response) : row.run(in);
  if (terms.to != setup_.start())
    return deny(*in.response);
  setup_.system.spawn(take_if_busy, &row, std::make_shared<http_call>(std::move(in)));
}

} // namespace troupe

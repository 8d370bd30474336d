#include "apps/engine/http/http_reply.hpp"

#include "actors/quiet.hpp"

namespace troupe {

namespace {

caf::behavior reply(caf::stateful_actor<http_reply>* self, std::shared_ptr<http_response> response,
                    const std::function<void(http_reply&)>& begin) {
  quiet(self);
  auto& state = self->state;
  state.response = std::move(response);
  self->set_down_handler([&state](caf::down_msg&) { state.refuse({errc::internal, ""}); });
  caf::actor me{self};
  state.response->watch([me](response_signal what) {
    if (what == response_signal::gone)
      caf::anon_send<caf::message_priority::high>(me, client_signal{what});
  });
  begin(state);
  return {[self](const client_signal&) { self->quit(); },
          [&state](answer_place& given) {
            state.place = std::move(given.held);
            std::exchange(state.placed, nullptr)();
          }};
}

} // namespace

void http_reply::send(std::string json) {
  if (auto to = std::exchange(response, nullptr))
    to->send(200, {{"content-type", "application/json"}}, std::move(json));
  self->quit();
}

void http_reply::refuse(const failure& why) {
  if (auto to = std::exchange(response, nullptr))
    write_error(*to, why, {});
  self->quit();
}

void spawn_http_reply(http_call& in, std::function<void(http_reply&)> begin) {
  in.system.spawn(reply, std::move(in.response), std::move(begin));
}

} // namespace troupe

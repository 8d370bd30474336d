#include "apps/engine/http/requests/http_reply.hpp"

#include "actors/quiet.hpp"
#include "messages/ports/inner_errors.hpp"

namespace troupe {

namespace {

/// Who asks, and for whom what is not shown is kept.
struct reply_terms {
  std::shared_ptr<http_response> response;
  bool inner_texts;
  std::shared_ptr<log_port> log;
};

caf::behavior reply(caf::stateful_actor<http_reply>* self, reply_terms terms,
                    const std::function<void(http_reply&)>& begin) {
  quiet(self);
  auto& state = self->state;
  state.response = std::move(terms.response);
  state.inner_texts = terms.inner_texts;
  state.log = std::move(terms.log);
  self->set_down_handler([&state](caf::down_msg&) { state.refuse({errc::internal, ""}); });
  self->set_exception_handler([&state](caf::scheduled_actor* who, std::exception_ptr& thrown) {
    state.refuse({errc::internal, ""}); // the client is told, not cut off
    return fail_request(who, thrown);
  });
  caf::actor me{self};
  state.response->watch([me](response_signal what) {
    if (what == response_signal::gone)
      caf::anon_send<caf::message_priority::high>(me, client_signal{what});
  });
  begin(state);
  return {[self](const client_signal&) { self->quit(); },
          [&state](answer_slot& given) {
            state.slot = std::move(given.held);
            std::exchange(state.placed, nullptr)();
          }};
}

} // namespace

void http_reply::send(std::string json) {
  if (auto to = std::exchange(response, nullptr))
    to->send(200, {{"content-type", "application/json"}}, std::move(json));
  self->quit();
}

void http_reply::refuse(failure why) {
  if (!inner_texts)
    hide_inner_text(log.get(), "request", "", why.code, why.message);
  if (auto to = std::exchange(response, nullptr))
    write_error(*to, why, {});
  self->quit();
}

void spawn_http_reply(http_call& in, std::function<void(http_reply&)> begin) {
  in.system.spawn(reply, reply_terms{std::move(in.response), in.who.inner_texts, in.config.log},
                  std::move(begin));
}

} // namespace troupe

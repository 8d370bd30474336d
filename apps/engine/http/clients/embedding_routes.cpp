#include <array>
#include <memory>
#include <string>
#include <utility>

#include <caf/actor_system.hpp>
#include <caf/all.hpp>

#include "actors/model/model_attempts.hpp"
#include "actors/quiet.hpp"
#include "apps/engine/http/clients/compat_turn.hpp"
#include "apps/engine/http/requests/request_trace.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "apps/engine/http/sinks/completions_sink.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/http.hpp"
#include "messages/interfaces/message_types.hpp"
#include "messages/ports/inner_errors.hpp"
#include "messages/ports/log_port.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/openai_chat/openai_embeddings.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe {

// -- embedding relay ------------------------------------------------------------------------------

/// Most bytes of a provider's answer that are passed on: some thousand texts.
inline constexpr size_t max_relayed_bytes = size_t{64}

                                            * 1024 * 1024;

/// Around an answer.
struct embedding_terms {
  headers extra;                 ///< of the answer's head
  bool shows_details = true;     ///< clients get the provider's texts about failures
  std::shared_ptr<log_port> log; ///< gets the texts that they do not get; may be null
};

namespace {

/// Returns what the end of an exchange without an answer means.
failure lost_exchange(const http_part& part) {
  switch (part.error) {
  case errc::connect_failed:
    return {errc::model_unreachable, part.error_text};
  case errc::connect_timeout:
  case errc::deadline_exceeded:
    return {errc::model_timeout, part.error_text};
  default:
    return {errc::model_stream_cut, part.error_text};
  }
}

struct embedding_relay_state {
  static inline const char* name = "troupe.embedding_relay";

  explicit embedding_relay_state(caf::event_based_actor* ptr) : self{ptr} {}

  void on_part(http_part& part) {
    if (part.status != 0) {
      status = part.status;
      content_type = std::move(part.content_type);
      retry_after = std::move(part.retry_after);
    }
    if (body.size() + part.bytes.size() > max_relayed_bytes)
      return refuse({errc::model_answer_invalid, "The embeddings are too long: more than 64 MiB."});
    body += part.bytes;
    if (!part.last)
      return;
    if (part.error != errc::none)
      return refuse(lost_exchange(part));
    if (status != 200)
      return refuse(refusal());
    if (!is_json_object(body))
      return refuse({errc::model_answer_invalid, "The embeddings are no JSON."});
    terms.extra.push_back({"content-type", "application/json"});
    response->send(200, terms.extra, std::move(body));
    self->quit();
  }

  failure refusal() const {
    auto why =
        refused_exchange(status, content_type, retry_after, body.substr(0, max_error_body_bytes));
    why.retry_after_ms = milliseconds_until_retry(retry_after);
    return why;
  }

  void refuse(failure why) {
    if (!terms.shows_details)
      hide_inner_text(terms.log.get(), "embeddings", "", why.code, why.message);
    send_completions_error(*response, why, terms.extra);
    self->quit();
  }

  caf::event_based_actor* self;
  std::shared_ptr<http_response> response;
  std::unique_ptr<http_exchange> exchange;
  embedding_terms terms;
  std::string body;
  uint16_t status = 0;
  std::string content_type;
  std::string retry_after;
};

caf::behavior embedding_relay(caf::stateful_actor<embedding_relay_state>* self, http_port* http,
                              http_request request, std::shared_ptr<http_response> response,
                              embedding_terms terms) {
  quiet(self);
  auto& state = self->state;
  state.response = std::move(response);
  state.terms = std::move(terms);
  const caf::actor me{self};
  state.response->watch([me](response_signal what) {
    if (what == response_signal::gone)
      caf::anon_send<caf::message_priority::high>(me, client_signal{what});
  });
  state.exchange = http->open(std::move(request), 1,
                              [me](http_part&& part) { caf::anon_send(me, std::move(part)); });
  return {[&state](http_part& part) { state.on_part(part); },
          [self](const client_signal&) { self->quit(); }};
}

} // namespace

/// Sends the request and answers with the provider's body, or with an error as OpenAI's clients
/// read it. Ends with the answer, or when the client has gone, which closes the connection to the
/// provider. Any thread. @param http outlives the actor
void spawn_embedding_relay(caf::actor_system& system, http_port& http, http_request request,
                           std::shared_ptr<http_response> response, embedding_terms terms) {
  system.spawn(embedding_relay, &http, std::move(request), std::move(response), std::move(terms));
}

// -- embedding routes -----------------------------------------------------------------------------

namespace {

void post_embeddings(http_call& in) {
  std::string name;
  headers extra{{"x-request-id", request_id_of(in.known)}};
  auto bad = read_embedding_model(in.request.body, name);
  const auto* model = bad ? nullptr : find_model(in.config, name);
  if (!bad && model == nullptr)
    bad = {errc::model_unknown, "There is no model '" + name + "' here."};
  else if (!bad && !has_embeddings(*model))
    bad = {errc::request_invalid,
           "The provider of '" + model->name + "' has no embeddings in OpenAI's form."};
  else if (!bad && in.services.upstream == nullptr)
    bad = {errc::capability_missing, ""};
  if (bad)
    return send_completions_error(*in.response, bad, std::move(extra));
  spawn_embedding_relay(in.system, *in.services.upstream,
                        embedding_request(*model, in.request.body), std::move(in.response),
                        {std::move(extra), in.config.shows_error_details(), in.config.log});
}

constexpr std::array embedding_rows{
    http_route{"POST", "/v1/embeddings", post_embeddings},
};

} // namespace

route_table embedding_routes() {
  return embedding_rows;
}

} // namespace troupe

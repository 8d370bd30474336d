// Answers of our models to an mcp_hub's servers, and what they may take.
#include "actors/mcp_hub/mcp_hub_questions.hpp"

#include <fmt/format.h>

#include "actors/mcp_hub/mcp_hub_state.hpp"
#include "messages/ports/log_line.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe {

namespace {

/// One token of most models is about so many bytes of text.
constexpr size_t token_bytes = 4;

} // namespace

void mcp_hub_questions::let_model_answer(open_question open) {
  if (!hub_.config.sample)
    return reply(open, refuse(open, jsonrpc::internal_error, "There is no model for sampling."));
  auto* server = hub_.find(open.ask.server);
  if (server == nullptr)
    return; // its questions went with it
  if (const auto why = charge(*server, open); !why.empty()) {
    tell_refused(*server, why);
    return reply(open, refuse(open, jsonrpc::internal_error,
                              "This client lets its model give " + why + ". Try again later."));
  }
  auto sampling_responder = hub_.config.sample(*hub_.self, open.ask);
  // A client that leaves it to the model has used up time: the model has its own.
  open.deadline = hub_.self->clock().now() + server->config.ask_timeout;
  open.model = std::make_shared<answering_model>(std::move(sampling_responder));
  keep_open(std::move(open));
}

/// A server over stdio does not say to which call its question belongs.
std::string mcp_hub_questions::charge(hub_server& server, open_question& open) const {
  open.charged_call = open.call;
  if (open.call == 0) {
    const auto calls =
        hub_.leases.select([&](const auto& lease) { return lease.server == open.ask.server; });
    open.charged_call = calls.size() == 1 ? calls.front() : 0;
  }
  const auto* lease = hub_.leases.find(open.charged_call);
  if (lease != nullptr && open.ask.session_id.empty())
    open.ask.session_id = lease->session_id;
  open.charged_tokens = open.ask.params.text.size() / token_bytes;
  return server.sampled.begin(server.config.sampling_bounds, open.charged_call, open.charged_tokens,
                              hub_.self->clock().now());
}

void mcp_hub_questions::tell_refused(hub_server& server, const std::string& why) const {
  const auto count = server.sampled.take_refused(hub_.self->clock().now());
  if (count == 0)
    return;
  const auto text = fmt::format("sampling was refused: {} (requests: {})", why, count);
  write_log(hub_.config.log.get(), log_level::warning, "sampling_refused",
            log_line{}.add("server", server.config.name).add("message", text));
  if (server.connection)
    hub_.self->send(server.connection, server_note{text});
}

void mcp_hub_questions::on_sampled(const client_answer& answer, const failure& why,
                                   uint64_t tokens) {
  auto* open = pending_.find(answer.request_id);
  if (open == nullptr || open->model == nullptr)
    return;
  if (auto* server = hub_.find(open->ask.server))
    server->sampled.end(open->charged_call, open->charged_tokens, tokens);
  server_reply made;
  auto bad = why ? why : reply_to(*open, answer, made);
  if (bad)
    made = refuse(*open, jsonrpc::internal_error, bad.text());
  finish(*pending_.take(answer.request_id), std::move(made));
}

} // namespace troupe

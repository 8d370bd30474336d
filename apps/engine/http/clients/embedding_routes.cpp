#include "apps/engine/http/requests/route_tables.hpp"

#include <array>
#include <string>
#include <utility>

#include "apps/engine/http/clients/embedding_relay.hpp"
#include "apps/engine/http/clients/foreign_turn.hpp"
#include "apps/engine/http/requests/request_trace.hpp"
#include "apps/engine/http/sinks/completions_sink.hpp"
#include "messages/wire/openai_chat/openai_embeddings.hpp"

namespace troupe {

namespace {

void post_embeddings(http_call& in) {
  std::string name;
  headers extra{{"x-request-id", request_id_of(in.request.fields)}};
  auto bad = read_embedding_model(in.request.body, name);
  const auto* model = bad ? nullptr : find_model(in.config, name);
  if (!bad && model == nullptr)
    bad = {errc::model_unknown, "There is no model '" + name + "' here."};
  else if (!bad && !has_embeddings(*model))
    bad = {errc::request_invalid,
           "The provider of '" + model->name + "' has no embeddings in OpenAI's form."};
  else if (!bad && in.upstream == nullptr)
    bad = {errc::capability_missing, ""};
  if (bad)
    return send_completions_error(*in.response, bad, std::move(extra));
  spawn_embedding_relay(in.system, *in.upstream, embedding_request(*model, in.request.body),
                        std::move(in.response),
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

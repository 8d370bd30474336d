#include "messages/wire/openai_responses/openai_responses.hpp"

#include <utility>

#include "messages/json.hpp"
#include "messages/wire/openai_chat/openai_hosts.hpp"
#include "messages/wire/openai_responses/kept_items.hpp"
#include "messages/wire/openai_responses/responses_answer.hpp"
#include "messages/wire/openai_responses/responses_input.hpp"
#include "messages/wire/openai_responses/responses_parameters.hpp"
#include "messages/wire/openai_responses/responses_tools.hpp"
#include "messages/wire/provider/answer_decoder.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

namespace {

std::string_view rendered_tools_of(const model_request& asked) {
  if (!asked.has_tools())
    return {};
  return asked.tools->rendered.get(responses_tools, asked.tools->tools);
}

std::string responses_body(const model_request& asked) {
  const auto tools = rendered_tools_of(asked);
  if (tools == "[]") { // none of them is usable; an empty list is refused
    auto without = asked;
    without.tools = nullptr;
    return responses_body(without);
  }
  const request_history messages{asked.history, asked.system, responses_rules()};
  json_buffer out;
  append_raw(out, R"({"model":)");
  append_json(out, model_name(asked.model));
  if (!messages.system().empty()) {
    append_raw(out, R"(,"instructions":)");
    append_json(out, messages.system());
  }
  append_raw(out, R"(,"input":)");
  append_responses_input(out, messages, asked.model, !asked.without_seals);
  if (!tools.empty()) {
    append_raw(out, R"(,"tools":)");
    append_raw(out, tools);
  }
  append_responses_parameters(out, asked);
  append_raw(out, streams(asked) ? R"(,"stream":true})" : R"(,"stream":false})");
  return std::string{view(out)};
}

http_request make_responses_request(const model_request& asked) {
  return json_request(asked, method_url(asked.model.base_url, "/responses"),
                      openai_key(asked.model), responses_body(asked));
}

std::unique_ptr<model_decoder> make_responses_decoder(const model_config& model,
                                                      std::string id_prefix) {
  return std::make_unique<answer_decoder>(
      std::make_unique<responses_answer>(std::move(id_prefix), seal_owner(model)));
}

} // namespace

const provider openai_responses{
    .name = "openai-responses",
    .make_request = make_responses_request,
    .make_decoder = make_responses_decoder,
    .base_url = "https://api.openai.com/v1",
    .environment = {.key = "OPENAI_API_KEY", .base_url = "OPENAI_BASE_URL"},
    .files = {.images = true, .documents = true},
    .check = check_responses_parameters};

} // namespace troupe

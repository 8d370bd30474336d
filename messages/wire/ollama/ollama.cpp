#include "messages/wire/ollama/ollama.hpp"

#include <utility>

#include "messages/json.hpp"
#include "messages/wire/ollama/ollama_address.hpp"
#include "messages/wire/ollama/ollama_answer.hpp"
#include "messages/wire/ollama/ollama_messages.hpp"
#include "messages/wire/ollama/ollama_parameters.hpp"
#include "messages/wire/ollama/ollama_tools.hpp"
#include "messages/wire/provider/answer_decoder.hpp"
#include "messages/wire/provider/request_frame.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

namespace {

/// Appends the tools that the model is to see. Nothing can demand a call here: a model that has to
/// call one tool sees this one alone.
void append_tools(json_buffer& out, const model_request& asked, const request_parameters& wanted) {
  if (!asked.has_tools() || wanted.tool_choice == tool_choice_mode::none)
    return;
  const auto* named =
      wanted.tool_choice == tool_choice_mode::named ? asked.tools->find(wanted.tool_name) : nullptr;
  const auto alone = named == nullptr ? std::string{} : ollama_tools({*named});
  const std::string_view tools =
      named == nullptr ? asked.tools->rendered.get(ollama_tools, asked.tools->tools) : alone;
  if (tools == "[]")
    return;
  append_raw(out, R"(,"tools":)");
  append_raw(out, tools);
}

std::string make_body(const model_request& asked) {
  auto wanted = read_parameters(asked);
  json_buffer out;
  append_raw(out, R"({"model":)");
  append_json(out, model_name(asked.model));
  append_raw(out, R"(,"messages":)");
  append_ollama_messages(out, asked);
  append_tools(out, asked, wanted);
  append_ollama_parameters(out, asked, wanted);
  append_raw(out, streams(asked) ? R"(,"stream":true})" : R"(,"stream":false})");
  return std::string{view(out)};
}

http_request make_request(const model_request& asked) {
  const auto& key = asked.model.api_key;
  auto bearer = key.empty() ? header{} : header{"authorization", "Bearer " + key};
  return json_request(asked, method_url(ollama_address(asked.model.base_url), "/api/chat"),
                      std::move(bearer), make_body(asked));
}

std::unique_ptr<model_decoder> make_decoder(const model_config& model, std::string id_prefix) {
  return std::make_unique<answer_decoder>(std::make_unique<ollama_answer>(
      std::move(id_prefix), model.start_with_reasoning, ollama_context_tokens(model)));
}

std::string check(const model_config& model) {
  auto base = std::string_view{model.base_url}.substr(0, model.base_url.find('?'));
  while (base.ends_with('/'))
    base.remove_suffix(1);
  if (base.ends_with("/v1"))
    return R"(base_url: at /v1 Ollama speaks chat completions; leave /v1 out, or set "provider" )"
           R"(to "openai")";
  if (model.documents)
    return "documents: Ollama takes images, but no documents; leave it out";
  if (model.audio)
    return "audio: Ollama takes images, but no audio; leave it out";
  return {};
}

} // namespace

const provider ollama{
    .name = "ollama",
    .make_request = make_request,
    .make_decoder = make_decoder,
    .base_url = "http://127.0.0.1:11434",
    .environment = {.base_url = "OLLAMA_HOST", .to_url = ollama_address},
    .files = {},
    .check = check,
};

} // namespace troupe

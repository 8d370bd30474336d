#include "messages/wire/openai_chat/openai_chat.hpp"

#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_answer.hpp"
#include "messages/wire/openai_chat/openai_bound.hpp"
#include "messages/wire/openai_chat/openai_dialect.hpp"
#include "messages/wire/openai_chat/openai_hosts.hpp"
#include "messages/wire/openai_chat/openai_messages.hpp"
#include "messages/wire/openai_chat/openai_parameters.hpp"
#include "messages/wire/openai_chat/openai_tools.hpp"
#include "messages/wire/provider/answer_decoder.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

namespace {

/// Some servers refuse `stream_options`: null in the parameters leaves it out.
bool asks_for_usage(const model_request& asked) {
  bool asks = true;
  for (auto json : {std::string_view{asked.model.parameters}, asked.parameters}) {
    if (json.find("\"stream_options\"") == json.npos)
      continue;
    const json_source source{json};
    std::string_view options;
    read_members(source.root(), {{"stream_options", &options}});
    if (!options.empty())
      asks = options != "null";
  }
  return asks;
}

std::string_view tools_of(const model_request& asked) {
  if (!asked.has_tools())
    return {};
  return asked.tools->rendered.get(openai_tools, asked.tools->tools);
}

std::string make_body(const model_request& asked) {
  const auto& model = asked.model;
  const auto tools = tools_of(asked);
  if (tools == "[]") { // none of them is usable; an empty list is refused
    auto without = asked;
    without.tools = nullptr;
    return make_body(without);
  }
  const auto dialect = dialect_of(model);
  json_buffer out;
  append_raw(out, R"({"model":)");
  append_json(out, model_name(model));
  append_raw(out, R"(,"messages":)");
  append_openai_messages(out, asked, dialect);
  if (!tools.empty()) {
    append_raw(out, R"(,"tools":)");
    append_raw(out, tools);
  }
  append_openai_parameters(out, asked, dialect);
  append_raw(out, streams(asked) ? R"(,"stream":true)" : R"(,"stream":false)");
  if (streams(asked) && dialect.takes_stream_options && asks_for_usage(asked))
    append_raw(out, R"(,"stream_options":{"include_usage":true})");
  out.push_back('}');
  return std::string{view(out)};
}

http_request make_request(const model_request& asked) {
  const auto& model = asked.model;
  return json_request(asked, method_url(model.base_url, "/chat/completions"), openai_key(model),
                      make_body(asked));
}

std::unique_ptr<model_decoder> make_decoder(const model_config& model, std::string id_prefix) {
  return std::make_unique<answer_decoder>(
      std::make_unique<openai_answer>(std::move(id_prefix), model.start_with_reasoning));
}

} // namespace

const provider openai_chat{
    .name = "openai",
    .make_request = make_request,
    .make_decoder = make_decoder,
    .base_url = "https://api.openai.com/v1",
    .environment = {.key = "OPENAI_API_KEY",
                    .base_url = "OPENAI_BASE_URL",
                    .model = "OPENAI_MODEL"},
    .files = {},
    .usual_model = "gpt-4o-mini",
    .learn = learn_openai_bound,
};

} // namespace troupe

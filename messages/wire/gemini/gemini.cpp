#include "messages/wire/gemini/gemini.hpp"

#include <string>
#include <utility>
#include <vector>

#include "messages/chat/tool_definition.hpp"
#include "messages/json.hpp"
#include "messages/wire/gemini/gemini_answer.hpp"
#include "messages/wire/gemini/gemini_contents.hpp"
#include "messages/wire/gemini/gemini_family.hpp"
#include "messages/wire/gemini/gemini_names.hpp"
#include "messages/wire/gemini/gemini_parameters.hpp"
#include "messages/wire/gemini/gemini_schema.hpp"
#include "messages/wire/history/usable_tools.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/answer_decoder.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

// -- gemini tools ---------------------------------------------------------------------------------

namespace {

using append_schema = void (*)(json_buffer& out, std::string_view schema);

void append_whole(json_buffer& out, std::string_view schema) {
  append_raw(out, R"(,"parametersJsonSchema":)");
  append_raw(out, schema);
}

void append_reduced(json_buffer& out, std::string_view schema) {
  const auto reduced = reduced_gemini_schema(schema);
  if (reduced.empty())
    return;
  append_raw(out, R"(,"parameters":)");
  append_raw(out, reduced);
}

std::string declarations(const std::vector<tool_definition>& tools, append_schema schema) {
  json_buffer out;
  for_each_usable_tool(tools, [&](const usable_tool& each) {
    append_raw(out, out.size() == 0 ? R"([{"functionDeclarations":[{"name":)" : R"(,{"name":)");
    append_json(out, gemini_tool_name(each.tool.name));
    append_raw(out, R"(,"description":)"); // demanded, unlike by other providers
    append_json(out, each.description.empty() ? each.tool.name : each.description);
    schema(out, each.schema);
    out.push_back('}');
  });
  if (out.size() > 0)
    append_raw(out, "]}]");
  return std::string{view(out)};
}

/// Returns [{"functionDeclarations":[...]}] with `parametersJsonSchema`; "" where no tool is
/// usable: an empty list is refused.
std::string gemini_tools(const std::vector<tool_definition>& tools) {
  return declarations(tools, append_whole);
}

/// The same with `parameters` in Gemini's own subset of JSON Schema.
std::string gemini_reduced_tools(const std::vector<tool_definition>& tools) {
  return declarations(tools, append_reduced);
}

// -- gemini ---------------------------------------------------------------------------------------

constexpr std::string_view default_base = "https://generativelanguage.googleapis.com/v1beta";

std::string_view tools_of(const model_request& asked, const gemini_family& family) {
  if (!asked.has_tools())
    return {};
  const auto how = family.takes_json_schema() ? gemini_tools : gemini_reduced_tools;
  return asked.tools->rendered.get(how, asked.tools->tools);
}

std::string make_body(const model_request& asked) {
  const auto family = gemini_family_of(asked.model);
  const auto tools = tools_of(asked, family);
  gemini_parameters parameters{read_parameters(asked), family, !tools.empty()};
  json_buffer out;
  out.push_back('{');
  append_gemini_contents(out, asked, family, {!parameters.uses_cache(), parameters.demand()});
  if (!tools.empty() && !parameters.uses_cache()) {
    append_raw(out, R"(,"tools":)");
    append_raw(out, tools);
  }
  parameters.append(out);
  out.push_back('}');
  return std::string{view(out)};
}

/// Returns the address of a method. A name may have a path of its own: models/NAME,
/// tunedModels/NAME, publishers/google/models/NAME.
std::string make_url(const model_request& asked) {
  const auto& model = asked.model;
  const auto name = model_name(model);
  auto path = name.find('/') == std::string_view::npos ? "/models/" + std::string{name}
                                                       : "/" + std::string{name};
  path += streams(asked) ? ":streamGenerateContent?alt=sse" : ":generateContent";
  return method_url(model.base_url.empty() ? default_base : std::string_view{model.base_url}, path);
}

/// Vertex AI takes a token in the configured headers, and would refuse a key beside it.
http_request make_request(const model_request& asked) {
  const auto& model = asked.model;
  header key;
  if (!model.api_key.empty() && !has_field(model.fields, "authorization"))
    key = {"x-goog-api-key", model.api_key};
  return json_request(asked, make_url(asked), std::move(key), make_body(asked));
}

std::unique_ptr<model_decoder> make_decoder(const model_config& model, std::string id_prefix) {
  return std::make_unique<answer_decoder>(
      std::make_unique<gemini_answer>(std::string{model_name(model)}, std::move(id_prefix)),
      list_reading::elements);
}

bool has_both_kinds_of_thinking(const model_config& model) {
  const json_source source{model.parameters};
  std::string_view config, thinking, budget, level;
  read_members(source.root(), {{"thinkingConfig", &thinking}, {"generationConfig", &config}});
  read_members(config, {{"thinkingConfig", &thinking}});
  read_members(thinking, {{"thinkingBudget", &budget}, {"thinkingLevel", &level}});
  return !budget.empty() && !level.empty();
}

std::string check(const model_config& model) {
  const std::string_view base = model.base_url;
  const auto path = base.substr(0, base.find('?'));
  if (path.ends_with("/openai") || path.ends_with("/openai/"))
    return "base_url: this is Gemini's address for OpenAI's clients; take \"openai\" as the "
           "provider, or leave \"/openai\" out";
  if (path.find(":generateContent") != path.npos ||
      path.find(":streamGenerateContent") != path.npos)
    return "base_url: it ends with a method; leave out \"/models/...\", which follows from `model`";
  const auto family = gemini_family_of(model);
  if (family.is_google && !path.empty() && path.find("/v1") == path.npos)
    return "base_url: the version is missing; it is " + std::string{default_base};
  if (has_both_kinds_of_thinking(model))
    return "parameters: thinkingBudget and thinkingLevel exclude each other; models of generation "
           "3 take thinkingLevel, older ones thinkingBudget";
  return {};
}

} // namespace

const provider gemini{.name = "gemini",
                      .make_request = make_request,
                      .make_decoder = make_decoder,
                      .base_url = default_base,
                      .environment = {.key = "GEMINI_API_KEY", .other_key = "GOOGLE_API_KEY"},
                      .files = {.images = true, .documents = true, .audio = true},
                      .usual_model = "gemini-flash-latest",
                      .check = check};

} // namespace troupe

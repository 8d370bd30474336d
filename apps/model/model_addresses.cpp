#include "apps/model/model_addresses.hpp"

#include <array>

#include <fmt/format.h>

#include "apps/model/anthropic/anthropic_dialect.hpp"
#include "apps/model/chat/chat_dialect.hpp"
#include "apps/model/gemini/gemini_dialect.hpp"
#include "apps/model/ollama/ollama_dialect.hpp"
#include "apps/model/responses/responses_dialect.hpp"
#include "apps/model/script/scripts.hpp"
#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe::scripted {

// -- model lists ----------------------------------------------------------------------------------

namespace {

using name_format = std::string (*)(std::string_view name);

std::string openai_row(std::string_view name) {
  return fmt::format(R"({{"id":{},"object":"model","created":1735689600,"owned_by":"troupe"}})",
                     to_json(name));
}

std::string anthropic_row(std::string_view name) {
  return fmt::format(R"({{"type":"model","id":{0},"display_name":{0},)"
                     R"("created_at":"2025-01-01T00:00:00Z"}})",
                     to_json(name));
}

std::string gemini_row(std::string_view name) {
  return fmt::format(R"({{"name":{},"displayName":{},"version":"1","inputTokenLimit":1048576,)"
                     R"("outputTokenLimit":1048576,"supportedGenerationMethods":)"
                     R"(["generateContent","countTokens"]}})",
                     to_json(fmt::format("models/{}", name)), to_json(name));
}

std::string ollama_row(std::string_view name) {
  return fmt::format(R"({{"name":{0},"model":{0},"modified_at":"2025-01-01T00:00:00Z","size":1,)"
                     R"("digest":"troupe","details":{{"format":"gguf","family":"troupe",)"
                     R"("families":["troupe"],"parameter_size":"0B",)"
                     R"("quantization_level":"F16"}}}})",
                     to_json(name));
}

std::string rows_of(name_format format) {
  std::string list;
  for (const auto& row : all_scripts())
    list += (list.empty() ? "" : ",") + format(row.name);
  return list;
}

std::string row_of(std::string_view name, name_format format) {
  return find_script(name).row == nullptr ? std::string{} : format(name);
}

/// The lists of the scripts as the models of a provider, and one model of each, as JSON; "" for a
/// name that no script has.
std::string openai_models() {
  return R"({"object":"list","data":[)" + rows_of(openai_row) + "]}";
}

std::string openai_model(std::string_view name) {
  return row_of(name, openai_row);
}

std::string anthropic_models() {
  const auto& all = all_scripts();
  return fmt::format(R"({{"data":[{}],"has_more":false,"first_id":{},"last_id":{}}})",
                     rows_of(anthropic_row), to_json(all.front().name), to_json(all.back().name));
}

std::string anthropic_model(std::string_view name) {
  return row_of(name, anthropic_row);
}

std::string gemini_models() {
  return R"({"models":[)" + rows_of(gemini_row) + "]}";
}

std::string gemini_model(std::string_view name) {
  return row_of(name, gemini_row);
}

/// Ollama's GET /api/tags, and POST /api/show for the model that the body names.
std::string ollama_tags() {
  return R"({"models":[)" + rows_of(ollama_row) + "]}";
}

std::string ollama_show(std::string_view body) {
  const json_source source{body};
  std::string_view model, name;
  read_members(source.root(), {{"model", &model}, {"name", &name}});
  const auto asked = json_string(model.empty() ? name : model);
  if (find_script(asked).row == nullptr)
    return {};
  return R"({"modelfile":"","parameters":"","template":"{{ .Prompt }}","details":)"
         R"({"format":"gguf","family":"troupe","families":["troupe"],"parameter_size":"0B",)"
         R"("quantization_level":"F16"},"model_info":{"general.architecture":"troupe",)"
         R"("troupe.context_length":1048576},"capabilities":["completion","tools","thinking",)"
         R"("vision"]})";
}

// -- model addresses ------------------------------------------------------------------------------

constexpr std::string_view anthropic_version = "anthropic-version";

bool is_of_anthropic(const server_request& request) {
  return !find_header(request.fields, anthropic_version).empty();
}

/// Makes the body of a list. @param name what stands in the place of '*' in the path
using list_maker = std::string (*)(const server_request& request, std::string_view name);

std::string models_list(const server_request& request, std::string_view) {
  return is_of_anthropic(request) ? anthropic_models() : openai_models();
}

std::string one_model(const server_request& request, std::string_view name) {
  return is_of_anthropic(request) ? anthropic_model(name) : openai_model(name);
}

struct address_row {
  std::string_view method;
  std::string_view path; ///< may have one '*', for the name of a model
  purpose what;
  const dialect* spoken;
  list_maker list = nullptr;
  bool of_provider = true; ///< false: it tells of requests
};

/// THE list of addresses.
constexpr std::array addresses{
    address_row{"POST", "/v1/chat/completions", purpose::answer, &chat_dialect},
    address_row{"POST", "/v1/messages", purpose::answer, &anthropic_dialect},
    address_row{"POST", "/v1/responses", purpose::answer, &responses_dialect},
    address_row{"POST", "/v1beta/models/*:generateContent", purpose::answer, &gemini_dialect},
    address_row{"POST", "/v1beta/models/*:streamGenerateContent", purpose::answer, &gemini_dialect},
    address_row{"POST", "/v1/models/*:generateContent", purpose::answer, &gemini_dialect},
    address_row{"POST", "/v1/models/*:streamGenerateContent", purpose::answer, &gemini_dialect},
    address_row{"POST", "/api/chat", purpose::answer, &ollama_dialect},
    address_row{"GET", "/v1/models", purpose::list, &chat_dialect, models_list},
    address_row{"GET", "/v1/models/*", purpose::list, &chat_dialect, one_model},
    address_row{"POST", "/v1/messages/count_tokens", purpose::list, &anthropic_dialect,
                [](const server_request&, std::string_view) {
                  return std::string{R"({"input_tokens":10})"};
                }},
    address_row{"GET", "/v1beta/models", purpose::list, &gemini_dialect,
                [](const server_request&, std::string_view) { return gemini_models(); }},
    address_row{"GET", "/v1beta/models/*", purpose::list, &gemini_dialect,
                [](const server_request&, std::string_view name) { return gemini_model(name); }},
    address_row{"POST", "/v1beta/models/*:countTokens", purpose::list, &gemini_dialect,
                [](const server_request&, std::string_view) {
                  return std::string{R"({"totalTokens":10})"};
                }},
    address_row{"GET", "/api/tags", purpose::list, &ollama_dialect,
                [](const server_request&, std::string_view) { return ollama_tags(); }},
    address_row{
        "POST", "/api/show", purpose::list, &ollama_dialect,
        [](const server_request& request, std::string_view) { return ollama_show(request.body); }},
    address_row{
        "GET", "/api/ps", purpose::list, &ollama_dialect,
        [](const server_request&, std::string_view) { return std::string{R"({"models":[]})"}; }},
    address_row{"GET", "/api/version", purpose::list, &ollama_dialect,
                [](const server_request&, std::string_view) {
                  return std::string{R"({"version":"0.35.0"})"};
                }},
    address_row{"GET", "/stats", purpose::stats, &chat_dialect, nullptr, false},
    address_row{"GET", "/requests", purpose::requests, &chat_dialect, nullptr, false},
    address_row{"DELETE", "/requests", purpose::clear_requests, &chat_dialect, nullptr, false},
};

/// Returns whether the row has this path; sets what stands in the place of '*'.
bool has_path(const address_row& row, std::string_view path, std::string_view& name) {
  const auto star = row.path.find('*');
  if (star == std::string_view::npos)
    return row.path == path;
  const auto behind = row.path.substr(star + 1);
  if (!path.starts_with(row.path.substr(0, star)) || !path.ends_with(behind) ||
      path.size() <= star + behind.size())
    return false;
  name = path.substr(star, path.size() - star - behind.size());
  return name.find('/') == std::string_view::npos &&
         (!behind.empty() || name.find(':') == std::string_view::npos);
}

/// Gemini says in the path what others say in the body.
request_address answer_address(const address_row& row, std::string_view name,
                               const server_request& request) {
  request_address made{row.spoken, std::string{name}};
  made.stream = row.path.ends_with(":streamGenerateContent");
  made.as_list = made.stream && request.query.find("alt=sse") == std::string::npos;
  return made;
}

/// Returns the dialect in which a path that is unknown is refused.
const dialect& nearest_dialect(std::string_view path) {
  if (path.starts_with("/v1beta/"))
    return gemini_dialect;
  if (path.starts_with("/v1/messages"))
    return anthropic_dialect;
  return path.starts_with("/api/") ? ollama_dialect : chat_dialect;
}

} // namespace

asked_purpose purpose_of(const server_request& request, bool shows_requests) {
  asked_purpose made;
  made.answer.spoken = &nearest_dialect(request.path);
  for (const auto& row : addresses) {
    std::string_view name;
    if ((!row.of_provider && !shows_requests) || !has_path(row, request.path, name))
      continue;
    if (row.method != request.method) {
      made.what = purpose::wrong_method;
      made.allowed += fmt::format("{}{}", made.allowed.empty() ? "" : ", ", row.method);
      continue;
    }
    made.what = row.what;
    made.answer = answer_address(row, name, request);
    if (row.list != nullptr)
      made.body = row.list(request, name);
    return made;
  }
  return made;
}

} // namespace troupe::scripted

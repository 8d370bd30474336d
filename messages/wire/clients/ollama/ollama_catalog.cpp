#include "messages/wire/clients/ollama/ollama_catalog.hpp"

#include <iterator>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/stable_hash.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr std::string_view no_time = "1970-01-01T00:00:00Z";

/// Nothing of this is known of models behind a provider, but clients want the members.
constexpr std::string_view details =
    R"("details":{"parent_model":"","format":"","family":"troupe",)"
    R"("families":["troupe"],"parameter_size":"",)"
    R"("quantization_level":""})";

/// Returns 64 hex digits that differ with the name: clients cut digests without a look.
std::string digest_of(std::string_view name) {
  return fmt::format("{0:016x}{0:016x}{0:016x}{0:016x}", stable_hash(name));
}

} // namespace

std::string ollama_version_json() {
  return fmt::format(R"({{"version":"{}"}})", ollama_api_version);
}

std::string ollama_tags_json(const std::set<std::string>& names) {
  json_buffer out;
  append_raw(out, R"({"models":[)");
  std::string_view apart = "";
  for (const auto& each : names) {
    const auto name = to_json(each.find(':') == each.npos ? each + std::string{ollama_tag} : each);
    fmt::format_to(
        std::back_inserter(out),
        R"({0}{{"name":{1},"model":{1},"modified_at":"{2}","size":0,"digest":"{3}",{4}}})", apart,
        name, no_time, digest_of(each), details);
    apart = ",";
  }
  append_raw(out, "]}");
  return std::string{view(out)};
}

std::string ollama_show_json(const ollama_model& of) {
  const auto context = of.context_tokens == 0
                           ? std::string{}
                           : fmt::format(R"(,"troupe.context_length":{})", of.context_tokens);
  return fmt::format(R"({{"license":"","modelfile":"","parameters":"","template":"",{},)"
                     R"("model_info":{{"general.architecture":"troupe"{}}},)"
                     R"("capabilities":["completion","tools"{}{}],"modified_at":"{}"}})",
                     details, context, of.sees_images ? R"(,"vision")" : "",
                     of.thinks ? R"(,"thinking")" : "", no_time);
}

failure read_ollama_model(std::string_view body, std::string& name) {
  const json_source source{body};
  if (auto bad = check_body(source))
    return bad;
  std::string_view model, older;
  read_members(source.root(), {{"model", &model}, {"name", &older}});
  name = json_string(is_nothing(model) ? older : model);
  return name.empty() ? invalid_request("model must be a string that is not empty") : failure{};
}

} // namespace troupe

#include "apps/model/model_lists.hpp"

#include <fmt/format.h>

#include "apps/model/script/scripts.hpp"
#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe::scripted {

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

} // namespace

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

} // namespace troupe::scripted

#include "messages/wire/history/sealed_blocks.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// The last two are names of the AI SDK, whose clients send them along.
constexpr std::array<std::string_view, 5> namespaces{"anthropic", "openai_responses", "gemini",
                                                     "bedrock", "amazonBedrock"};

} // namespace

std::string seal_blocks(std::string_view key, std::string_view model, std::string_view blocks) {
  return fmt::format(R"({{"{}":{{"model":{},"blocks":{}}}}})", key, to_json(std::string{model}),
                     blocks);
}

std::string sealed_blocks(std::string_view metadata, std::string_view key, std::string_view model) {
  if (metadata.find(key) == std::string_view::npos)
    return {};
  const json_source source{metadata};
  std::string_view own, made_by, blocks;
  read_members(source.root(), {{key, &own}});
  read_members(own, {{"model", &made_by}, {"blocks", &blocks}});
  if (kind_of(blocks) != json_kind::array || json_string(made_by) != model)
    return {};
  return std::string{blocks};
}

bool is_sealed_namespace(std::string_view key) {
  return std::ranges::find(namespaces, key) != namespaces.end();
}

} // namespace troupe

#include "messages/wire/providers.hpp"

#include <array>

#include "messages/wire/anthropic/anthropic.hpp"
#include "messages/wire/gemini/gemini.hpp"
#include "messages/wire/ollama/ollama.hpp"
#include "messages/wire/openai_chat/openai_chat.hpp"
#include "messages/wire/openai_responses/openai_responses.hpp"

namespace troupe {

namespace {

/// THE list of providers: one row and one room each. The environment is asked in this order.
constexpr std::array providers{
    &openai_chat, &openai_responses, &anthropic, &gemini, &ollama,
};

} // namespace

const provider* find_provider(std::string_view name) {
  for (const auto* each : providers)
    if (each->name == name)
      return each;
  return nullptr;
}

std::vector<std::string_view> provider_names() {
  std::vector<std::string_view> names;
  names.reserve(providers.size());
  for (const auto* each : providers)
    names.push_back(each->name);
  return names;
}

} // namespace troupe

#include "messages/wire/openai_chat/openai_dialect.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "messages/ascii_case.hpp"
#include "messages/wire/openai_chat/openai_hosts.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

namespace {

/// Azure was seen to take no more; OpenAI takes 64.
constexpr size_t azures_max_call_id = 40;

/// Returns whether the name is one of Mistral's models: their chat templates take ids of nine
/// letters and digits only, whoever runs them. All other servers take these, too.
bool is_of_mistral(std::string_view name) {
  constexpr std::array<std::string_view, 7> families{
      "mistral", "mixtral", "ministral", "magistral", "codestral", "devstral", "pixtral"};
  return std::ranges::any_of(families, [name](std::string_view family) {
    for (size_t at = 0; at + family.size() <= name.size(); ++at)
      if (same_ignoring_case(name.substr(at, family.size()), family))
        return true;
    return false;
  });
}

/// Returns whether it is a model that reasons, by the names that OpenAI gives.
bool is_known_to_reason(std::string_view name) {
  constexpr std::array<std::string_view, 4> families{"o1", "o3", "o4", "gpt-5"};
  return std::ranges::any_of(families, [name](auto each) { return name.starts_with(each); });
}

} // namespace

openai_dialect dialect_of(const model_config& model) {
  const std::string_view url = model.base_url;
  const auto name = model_name(model);
  const auto mistral = is_mistral(url);
  const auto azure = is_azure(url);
  const auto openai = is_openai(url);
  openai_dialect made;
  made.takes_extras = !mistral && !openai;
  made.takes_stream_options = !mistral;
  made.says_any = mistral;
  // Old versions of Azure's API do not know the new name, its newest models only that.
  made.has_new_bound = openai || (azure && is_known_to_reason(name));
  if (mistral || is_of_mistral(name))
    made.call_ids = {.dashes = false, .exact_bytes = 9};
  else if (azure)
    made.call_ids.max_bytes = azures_max_call_id;
  return made;
}

} // namespace troupe

#include "messages/wire/provider/refused_parameter.hpp"

#include <algorithm>
#include <array>

#include "messages/ascii_case.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/provider_error.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

namespace {

/// How servers say that they do not take a member, in lower case. "Only the default" follows the
/// value that was refused (OpenAI's models that reason).
constexpr std::array<std::string_view, 13> refusal_words{"unsupported parameter",
                                                         "unrecognized request argument",
                                                         "unknown parameter",
                                                         "unknown field",
                                                         "unknown name",
                                                         "extra inputs are not permitted",
                                                         "extra fields",
                                                         "unexpected keyword",
                                                         "not supported with this model",
                                                         "is not supported by",
                                                         "does not support parameter",
                                                         "was unexpected",
                                                         "only the default"};

/// Names that are no parameters: without them there would be no request.
constexpr std::array<std::string_view, 10> needed_members{
    "model",    "messages", "stream", "tools",      "input",
    "contents", "system",   "prompt", "max_tokens", "max_completion_tokens"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Names of other APIs for parameters that are known by OpenAI's.
constexpr std::array<std::array<std::string_view, 2>, 4> other_names{
    {{"stop_sequences", "stop"}, {"stopSequences", "stop"}, {"topP", "top_p"}, {"topK", "top_k"}}};

/// Returns the name, if it is one and says what the engine may leave out.
std::string usable(std::string_view name) {
  if (name.starts_with("body."))
    name.remove_prefix(5);
  for (const auto& [other, ours] : other_names)
    name = name == other ? ours : name;
  const auto is_name = !name.empty() && name.size() <= 64 && std::ranges::all_of(name, is_letter);
  return is_name && std::ranges::find(needed_members, name) == needed_members.end()
             ? std::string{name}
             : std::string{};
}

/// Returns the first name in quotes, or the one behind a colon.
std::string name_in(std::string_view words) {
  for (size_t at = 0; (at = words.find_first_of("'\"`", at)) != words.npos; ++at) {
    const auto end = words.find(words[at], at + 1);
    if (end == words.npos)
      break;
    if (auto name = usable(words.substr(at + 1, end - at - 1)); !name.empty())
      return name;
    at = end;
  }
  const auto colon = words.rfind(": ");
  if (colon == words.npos)
    return {};
  const auto behind = words.substr(colon + 2);
  const auto* end = std::ranges::find_if_not(behind, is_letter);
  const auto rest = behind.substr(static_cast<size_t>(end - behind.begin()));
  return rest.empty() || rest == "." ? usable(behind.substr(0, behind.size() - rest.size()))
                                     : std::string{};
}

/// Reads FastAPI's list: `{"type":"extra_forbidden","loc":["body","top_k"],...}`.
std::string forbidden_extra(std::string_view list) {
  std::string found;
  for_each_element(list, [&found](std::string_view each) {
    std::string_view type, place;
    read_members(each, {{"type", &type}, {"loc", &place}});
    if (!json_string(type).starts_with("extra_forbidden") &&
        json_string(type) != "value_error.extra")
      return true;
    size_t depth = 0;
    for_each_element(place, [&](std::string_view name) {
      found = json_string(name);
      return ++depth < 3;
    });
    found = depth <= 2 ? usable(found) : std::string{}; // deeper is no parameter
    return found.empty();
  });
  return found;
}

/// Anthropic names the member in front of its words: "temperature: Extra inputs are not permitted".
std::string name_before(std::string_view message, size_t at) {
  auto before = message.substr(0, at);
  return before.ends_with(": ") ? usable(before.substr(0, before.size() - 2)) : std::string{};
}

} // namespace

std::string refused_parameter(std::string_view body) {
  const json_source source{body.substr(0, max_error_body_bytes)};
  std::string_view error, top_message, detail, message, param, code;
  read_members(source.root(), {{"error", &error},
                               {"message", &top_message},
                               {"detail", &detail},
                               {"param", &param},
                               {"code", &code}});
  read_members(error, {{"message", &message}, {"param", &param}, {"code", &code}});
  if (kind_of(detail) == json_kind::array)
    return forbidden_extra(detail);
  auto words = json_string(message);
  for (auto other : {error, top_message, detail})
    if (words.empty())
      words = json_string(other);
  const auto lower = in_lower_case(words);
  const auto said = json_string(code);
  auto at = lower.npos;
  for (auto each : refusal_words)
    at = std::min(at, lower.find(each));
  if (at == lower.npos && said != "unsupported_parameter" && said != "unknown_parameter")
    return {};
  if (auto name = json_string(param); !name.empty())
    return usable(name);
  if (auto name = name_before(words, at == lower.npos ? 0 : at); !name.empty())
    return name;
  return name_in(words);
}

} // namespace troupe

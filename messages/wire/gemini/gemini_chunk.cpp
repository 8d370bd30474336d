#include "messages/wire/gemini/gemini_chunk.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

void take(std::string_view& place, std::string_view value) {
  if (!is_nothing(value))
    place = value;
}

void read_content(json_value content, std::vector<std::string_view>& parts) {
  content.for_each_member([&parts](std::string_view key, json_value value) {
    if (key == "parts" && value.kind() == json_kind::array)
      value.for_each_element([&parts](json_value each) {
        if (each.kind() == json_kind::object)
          parts.push_back(each);
        return true;
      });
    return true;
  });
}

/// Reads one candidate. Those after the first are other answers to the same question.
void read_candidate(json_value candidate, gemini_chunk& out) {
  gemini_chunk read;
  std::string_view index;
  candidate.for_each_member([&](std::string_view key, json_value value) {
    if (key == "content" && value.kind() == json_kind::object)
      read_content(value, read.parts);
    else if (key == "finishReason")
      take(read.finish_reason, value);
    else if (key == "finishMessage")
      take(read.finish_message, value);
    else if (key == "index")
      index = value;
    return true;
  });
  if (integer_of(index).value_or(0) != 0)
    return;
  out.parts = std::move(read.parts);
  out.finish_reason = read.finish_reason;
  out.finish_message = read.finish_message;
}

void read_counts(json_value counts, gemini_counts& out) {
  read_members(counts, {{"promptTokenCount", &out.prompt},
                        {"candidatesTokenCount", &out.candidates},
                        {"thoughtsTokenCount", &out.thoughts},
                        {"toolUsePromptTokenCount", &out.tool_prompt},
                        {"cachedContentTokenCount", &out.cached},
                        {"totalTokenCount", &out.total}});
}

void read_candidates(json_value list, gemini_chunk& out) {
  list.for_each_element([&out](json_value each) {
    if (each.kind() == json_kind::object)
      read_candidate(each, out);
    return true;
  });
}

/// Returns the string of a part that has nothing but its text, as most of an answer; "" if it is
/// another one.
std::string_view only_text(std::string_view json) {
  constexpr std::string_view key = R"({"text":)";
  if (!json.starts_with(key) || !json.ends_with("\"}"))
    return {};
  auto text = json.substr(key.size(), json.size() - key.size() - 1);
  if (text.starts_with(' '))
    text.remove_prefix(1);
  if (!text.starts_with('"'))
    return {};
  size_t at = 1;
  while (at < text.size() && text[at] != '"')
    at += text[at] == '\\' ? 2 : 1;
  return at + 1 == text.size() ? text : std::string_view{};
}

} // namespace

bool read_gemini_chunk(std::string_view json, gemini_chunk& out) {
  if (!json.starts_with('{'))
    return false;
  return for_each_member(
      json,
      [&out](std::string_view key, json_value value) {
        if (key == "candidates" && value.kind() == json_kind::array) {
          out.is_answer = true;
          read_candidates(value, out);
        } else if (key == "promptFeedback" && value.kind() == json_kind::object) {
          out.is_answer = true;
          read_members(value, {{"blockReason", &out.block_reason},
                               {"blockReasonMessage", &out.block_message}});
        } else if (key == "usageMetadata" && value.kind() == json_kind::object) {
          out.is_answer = true;
          read_counts(value, out.usage);
        } else if (key == "error") {
          take(out.error, value);
        }
        return true;
      },
      out.behind);
}

gemini_part read_gemini_part(std::string_view json) {
  constexpr std::array<std::string_view, 3> said_beside{"thought", "partMetadata", "videoMetadata"};
  gemini_part read;
  read.text = only_text(json);
  if (!read.text.empty())
    return read;
  for_each_member(json, [&](std::string_view key, std::string_view value) {
    if (is_nothing(value))
      return true;
    if (key == "text" && kind_of(value) == json_kind::string)
      read.text = value;
    else if (key == "functionCall" && kind_of(value) == json_kind::object)
      read.call = value;
    else if (key == "thoughtSignature")
      read.signature = kind_of(value) == json_kind::string && value.size() > 2 ? value : "";
    else if (key == "thought")
      read.is_thought = value == "true";
    else if (std::ranges::find(said_beside, key) == said_beside.end())
      read.other = key;
    return true;
  });
  return read;
}

} // namespace troupe

#include "messages/wire/openai_content.hpp"

#include "messages/wire/json_source.hpp"

namespace troupe {

namespace {

constexpr int max_part_depth = 4;

void add_text(std::string text, bool as_reasoning, std::vector<event>& out) {
  if (text.empty())
    return;
  if (as_reasoning)
    out.emplace_back(reasoning_delta{std::move(text)});
  else
    out.emplace_back(text_delta{std::move(text)});
}

void read_content(std::string_view json, bool as_reasoning, int depth, std::vector<event>& out) {
  if (json.starts_with('"')) {
    add_text(json_string(json), as_reasoning, out);
  } else if (depth == max_part_depth) {
    return;
  } else if (json.starts_with('[')) {
    for_each_element(json, [&](std::string_view each) {
      read_content(each, as_reasoning, depth + 1, out);
      return true;
    });
  } else if (json.starts_with('{')) {
    for_each_member(json, [&](std::string_view key, std::string_view value) {
      if (key == "type" && (value == "\"reasoning\"" || value == "\"thinking\""))
        as_reasoning = true;
      else if (key == "text" || key == "refusal" || key == "content")
        read_content(value, as_reasoning, depth + 1, out);
      else if (key == "thinking" || key == "reasoning")
        read_content(value, true, depth + 1, out);
      return true;
    });
  }
}

} // namespace

void read_openai_content(std::string_view json, bool as_reasoning, std::vector<event>& out) {
  read_content(json, as_reasoning, 0, out);
}

void read_reasoning_details(std::string_view json, std::vector<event>& out) {
  for_each_element(json, [&out](std::string_view each) {
    std::string_view text, summary;
    read_members(each, {{"text", &text}, {"summary", &summary}});
    add_text(json_string(text), true, out);
    add_text(json_string(summary), true, out);
    return true;
  });
}

} // namespace troupe

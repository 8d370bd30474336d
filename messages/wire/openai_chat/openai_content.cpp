#include "messages/wire/openai_chat/openai_content.hpp"

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr int max_part_depth = 4;

} // namespace

void openai_content::read(std::string_view json, bool as_reasoning, std::vector<event>& out) {
  read_at(0, json, as_reasoning, out);
}

void openai_content::read_details(std::string_view json, std::vector<event>& out) {
  for_each_element(json, [this, &out](std::string_view each) {
    std::string_view text, summary;
    read_members(each, {{"text", &text}, {"summary", &summary}});
    read_string(text, true, out);
    read_string(summary, true, out);
    return true;
  });
}

void openai_content::read_at(int depth, std::string_view json, bool as_reasoning,
                             std::vector<event>& out) {
  if (json.starts_with('"')) {
    read_string(json, as_reasoning, out);
  } else if (depth == max_part_depth) {
    return;
  } else if (json.starts_with('[')) {
    for_each_element(json, [&](std::string_view each) {
      read_at(depth + 1, each, as_reasoning, out);
      return true;
    });
  } else if (json.starts_with('{')) {
    for_each_member(json, [&](std::string_view key, std::string_view value) {
      if (key == "type" && (value == "\"reasoning\"" || value == "\"thinking\""))
        as_reasoning = true;
      else if (key == "text" || key == "refusal" || key == "content")
        read_at(depth + 1, value, as_reasoning, out);
      else if (key == "thinking" || key == "reasoning")
        read_at(depth + 1, value, true, out);
      return true;
    });
  }
}

} // namespace troupe

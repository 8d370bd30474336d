#include "messages/wire/openai_chat/openai_metadata.hpp"

#include <algorithm>

#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// @param characters of the text so far; the text is complete
std::string whole_text(std::string text, surrogate_joiner characters) {
  characters.flush(text);
  return text;
}

} // namespace

bool is_openai_metadata(std::string_view json) {
  return is_json_object(json) &&
         for_each_member(json, [](std::string_view, std::string_view value) {
           return kind_of(value) == json_kind::object;
         });
}

void openai_metadata::add_details(std::string_view json) {
  ++chunk_;
  for_each_element(json, [this](std::string_view each) {
    add_detail(each);
    return true;
  });
}

void openai_metadata::add_detail(std::string_view json) {
  bytes_ += json.size();
  if (bytes_ > max_bytes || !is_json_object(json))
    return;
  std::string_view type, index;
  read_members(json, {{"type", &type}, {"index", &index}});
  bool goes_on = !details_.empty() && details_.back().type == type &&
                 details_.back().index == index && details_.back().chunk != chunk_;
  if (!goes_on)
    details_.push_back({std::string{type}, std::string{index}, chunk_, {}});
  auto& into = details_.back();
  into.chunk = chunk_;
  for_each_member(json, [this, &into](std::string_view key, std::string_view value) {
    put(into, key, value);
    return true;
  });
}

/// Appends the value to the member if that is a text in pieces; otherwise the last value counts.
void openai_metadata::put(detail& into, std::string_view key, std::string_view value) {
  bool is_text = (key == "text" || key == "summary") && kind_of(value) == json_kind::string;
  auto known = std::find_if(into.members.begin(), into.members.end(),
                            [key](const member& each) { return each.key == key; });
  if (known == into.members.end())
    known = into.members.insert(known, {std::string{key}, {}, is_text});
  else if (is_nothing(value))
    return;
  else if (!known->is_text || !is_text)
    *known = {known->key, {}, is_text};
  if (is_text)
    known->characters.append(known->value, json_string_piece(value));
  else
    known->value = value;
}

void openai_metadata::add_extra(std::string_view json) {
  bytes_ += json.size();
  if (bytes_ > max_bytes || !is_openai_metadata(json))
    return;
  for_each_member(json, [this](std::string_view key, std::string_view value) {
    std::string_view thought;
    read_members(value, {{"thought", &thought}});
    if (thought == "true" || key == "openai") // Gemini marks reasoning chunks; `openai` is ours
      return true;
    auto known = std::find_if(extra_.begin(), extra_.end(),
                              [key](const auto& each) { return each.first == key; });
    if (known == extra_.end())
      extra_.emplace_back(key, value);
    else
      known->second = value;
    return true;
  });
}

void openai_metadata::append_details(json_buffer& out) const {
  for (const auto& each : details_) {
    append_raw(out, &each == details_.data() ? "[{" : ",{");
    for (const auto& part : each.members) {
      if (&part != each.members.data())
        out.push_back(',');
      append_json(out, part.key);
      out.push_back(':');
      if (part.is_text)
        append_json(out, whole_text(part.value, part.characters));
      else
        append_raw(out, part.value);
    }
    out.push_back('}');
  }
  out.push_back(']');
}

std::string openai_metadata::text() const {
  if (bytes_ > max_bytes || (details_.empty() && extra_.empty()))
    return {};
  json_buffer out;
  for (const auto& [key, value] : extra_) {
    out.push_back(out.size() == 0 ? '{' : ',');
    append_json(out, key);
    out.push_back(':');
    append_raw(out, value);
  }
  if (!details_.empty()) {
    append_raw(out, out.size() == 0 ? R"({"openai":{"reasoning_details":)"
                                    : R"(,"openai":{"reasoning_details":)");
    append_details(out);
    out.push_back('}');
  }
  out.push_back('}');
  return std::string{view(out)};
}

} // namespace troupe

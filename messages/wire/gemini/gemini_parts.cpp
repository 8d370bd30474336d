#include "messages/wire/gemini/gemini_parts.hpp"

#include <fmt/format.h>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr size_t max_kinds_bytes = 200;

/// Returns the member of a call that is to go back, after a comma; "" if it is not there.
std::string member_text(std::string_view key, std::string_view value) {
  return is_nothing(value) ? std::string{} : fmt::format(R"(,"{}":{})", key, value);
}

} // namespace

std::string gemini_note(std::string_view kinds) {
  return kinds.empty() ? std::string{} : fmt::format("[{}]", kinds);
}

void add_gemini_kind(std::string& kinds, std::string_view json, std::string_view member) {
  std::string_view held, type;
  read_members(json, {{member, &held}});
  read_members(held, {{"mimeType", &type}});
  auto kind = json_string(type);
  if (kind.empty())
    kind = member;
  if (kinds.size() + kind.size() < max_kinds_bytes)
    kinds.append(kinds.empty() ? "" : ", ").append(kind);
}

void gemini_parts::begin_part() {
  end_text();
  if (!list_.empty())
    list_.push_back(',');
}

void gemini_parts::end_text() {
  if (text_.empty())
    return;
  list_.append(list_.empty() ? "" : ",").append(R"({"text":")").append(text_).append(R"("})");
  text_.clear();
}

void gemini_parts::end_part(std::string_view signature) {
  if (!signature.empty()) {
    list_.append(R"(,"thoughtSignature":)").append(signature);
    needed_ = true;
  }
  list_.push_back('}');
}

void gemini_parts::add_text(const gemini_part& part) {
  if (bytes() > max_bytes)
    return;
  const auto inside = part.text.size() < 2 ? "" : part.text.substr(1, part.text.size() - 2);
  if (part.signature.empty()) {
    if (!part.is_thought)
      text_.append(inside);
    return;
  }
  begin_part();
  list_.append(R"({"text":")").append(inside).append("\"");
  if (part.is_thought)
    list_.append(R"(,"thought":true)");
  end_part(part.signature);
}

void gemini_parts::add_call(const gemini_part& part) {
  if (bytes() > max_bytes)
    return;
  std::string_view id;
  read_members(part.call, {{"id", &id}});
  needed_ = needed_ || !is_nothing(id);
  begin_part();
  list_.append(R"({"functionCall":)").append(part.call);
  end_part(part.signature);
}

void gemini_parts::begin_call(const gemini_part& part) {
  std::string_view id, name;
  read_members(part.call, {{"id", &id}, {"name", &name}});
  needed_ = needed_ || !is_nothing(id);
  begin_part();
  list_.append(R"({"functionCall":{"name":)").append(name).append(member_text("id", id));
  list_.append(R"(,"args":)");
  signature_ = part.signature;
}

void gemini_parts::add_arguments(std::string_view text) {
  if (bytes() <= max_bytes)
    list_.append(text);
}

void gemini_parts::end_call() {
  list_.push_back('}');
  end_part(signature_);
}

void gemini_parts::add_other(std::string_view json, const gemini_part& part) {
  add_gemini_kind(kinds_, json, part.other);
  needed_ = true;
  if (bytes() > max_bytes)
    return;
  begin_part();
  list_.append(json);
}

std::string gemini_parts::json() const {
  auto all = *this;
  all.end_text();
  return "[" + all.list_ + "]";
}

} // namespace troupe

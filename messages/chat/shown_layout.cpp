#include "messages/chat/shown_layout.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"

namespace troupe {

namespace {

std::string name_of(shown_run kind) {
  return kind == shown_run::text ? "text" : "reasoning";
}

std::vector<shown_part> plain_step(size_t reasoning, size_t text,
                                   const std::vector<tool_call>& calls) {
  std::vector<shown_part> out{make_shown("step")};
  if (reasoning > 0)
    out.push_back({"reasoning", 0, reasoning});
  if (text > 0)
    out.push_back({"text", 0, text});
  for (const auto& each : calls)
    out.push_back(make_shown("call", each.id));
  return out;
}

} // namespace

void shown_layout::open(bool has_start) {
  parts_.clear();
  text_ = reasoning_ = runs_ = 0;
  open_ = shown_run::none;
  starts_ = has_start;
  lists_ = !has_start;
}

void shown_layout::add(shown_run kind, size_t bytes) {
  if (bytes == 0)
    return;
  if (open_ != kind)
    return append(kind, bytes, {});
  bytes_of(kind) += bytes;
  if (lists_)
    parts_.back().size += bytes;
}

void shown_layout::add_part(shown_run kind, size_t bytes, std::string members) {
  if (bytes == 0 || !members.empty())
    list();
  append(kind, bytes, std::move(members));
  close();
}

/// Reasoning first and text after it, each once, needs no list.
void shown_layout::append(shown_run kind, size_t bytes, std::string members) {
  const auto in_order = text_ == 0 && (kind == shown_run::text || reasoning_ == 0);
  if (!in_order)
    list();
  if (lists_)
    parts_.push_back({name_of(kind), bytes_of(kind), bytes, std::move(members)});
  bytes_of(kind) += bytes;
  runs_ += bytes > 0 ? 1 : 0;
  open_ = kind;
}

void shown_layout::put(shown_part part) {
  list();
  close();
  parts_.push_back(std::move(part));
}

void shown_layout::put_call(const std::string& id, const std::string& title) {
  put(make_shown("call", id));
  if (!title.empty())
    parts_.push_back(make_shown("title", title));
}

void shown_layout::replace_call(std::string_view id, shown_part part) {
  const auto found = std::find_if(parts_.begin(), parts_.end(), [&](const auto& each) {
    return each.type == "call" && each.value == id;
  });
  if (found == parts_.end())
    return put(std::move(part));
  *found = std::move(part);
  if (const auto title = found + 1; title != parts_.end() && title->type == "title")
    parts_.erase(title);
}

void shown_layout::name_reasoning(size_t first) {
  if (reasoning_ > 0)
    list();
  for (auto& each : parts_) {
    const auto is_run = each.type == "text" || each.type == "reasoning";
    if (each.type == "reasoning")
      each.value = fmt::format(R"({{"id":"{}","state":"done"}})", first);
    first += is_run ? 1 : 0;
  }
}

std::vector<shown_part> shown_layout::take(const std::vector<tool_call>& calls) {
  if (!lists_ || (starts_ && parts_ == plain_step(reasoning_, text_, calls)))
    return {};
  return std::exchange(parts_, {});
}

void shown_layout::list() {
  if (!std::exchange(lists_, true))
    parts_ = plain_step(reasoning_, text_, {});
}

std::vector<shown_part> plain_layout(const chat_message& message) {
  if (message.who == role::assistant)
    return plain_step(message.reasoning.size(), message.text.size(), message.tool_calls);
  std::vector<shown_part> out;
  for (const auto& piece : pieces_of(message.text, message.files))
    if (piece.file != nullptr)
      out.push_back(make_shown("file"));
    else
      out.push_back({"text", static_cast<size_t>(piece.text.data() - message.text.data()),
                     piece.text.size()});
  return out;
}

} // namespace troupe

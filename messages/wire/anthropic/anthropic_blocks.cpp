#include "messages/wire/anthropic/anthropic_blocks.hpp"

#include <algorithm>

#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr std::string_view empty_text = R"("")";

/// Returns whether a tool_use was not asked for by the user's model itself, but by a program that
/// the provider runs.
bool is_called_by_program(std::string_view start) {
  std::string_view caller, type;
  read_members(start, {{"caller", &caller}});
  read_members(caller, {{"type", &type}});
  return !type.empty() && type != R"("direct")";
}

bool has_citations(std::string_view start) {
  std::string_view citations;
  read_members(start, {{"citations", &citations}});
  return citations.size() > 2 && citations.starts_with('[');
}

/// Returns whether the block says what a message of ours has no place for.
bool says_more(const anthropic_block& block) {
  const json_source start{block.start};
  switch (block.kind) {
  case anthropic_block_kind::text:
    return !block.citations.empty() || has_citations(start.root());
  case anthropic_block_kind::call:
    return is_called_by_program(start.root());
  case anthropic_block_kind::thinking:
  case anthropic_block_kind::redacted:
  case anthropic_block_kind::server_call:
  case anthropic_block_kind::other:
    return true;
  }
  return true;
}

bool is_signed(const anthropic_block& block) {
  if (!block.signature.empty() && block.signature != empty_text)
    return true;
  const json_source start{block.start};
  std::string_view own;
  read_members(start.root(), {{"signature", &own}});
  return own.starts_with('"') && own != empty_text;
}

/// Returns the list with what deltas added; "" to leave the member as it is.
std::string joined_citations(std::string_view start, std::string_view more) {
  if (more.empty())
    return {};
  std::string list{start.starts_with('[') && start.size() > 2 ? start.substr(0, start.size() - 1)
                                                              : "["};
  return list.append(list.size() > 1 ? "," : "").append(more).append("]");
}

/// Returns what deltas made of a member; "" to leave it as it is.
std::string changed_member(const anthropic_block& block, std::string_view key,
                           std::string_view value) {
  if (key == "citations")
    return joined_citations(value, block.citations);
  if (key == "signature")
    return block.signature;
  if (!block.has_deltas)
    return {};
  if ((key == "text" && block.kind == anthropic_block_kind::text) ||
      (key == "thinking" && block.kind == anthropic_block_kind::thinking))
    return to_json(block.text);
  if (key == "input" && is_json_object(block.text))
    return block.text;
  return key == "content" ? block.content : std::string{};
}

/// Appends the block as it is when all its deltas are in it.
void append_block(json_buffer& out, const anthropic_block& block) {
  const json_source start{block.start};
  bool has_signature = false;
  bool has_citations = false;
  out.push_back('{');
  for_each_member(start.root(), [&](std::string_view key, std::string_view value) {
    if (out.data()[out.size() - 1] != '{')
      out.push_back(',');
    append_json(out, key);
    out.push_back(':');
    const auto changed = changed_member(block, key, value);
    append_raw(out, changed.empty() ? value : std::string_view{changed});
    has_signature = has_signature || key == "signature";
    has_citations = has_citations || key == "citations";
    return true;
  });
  if (!has_signature && !block.signature.empty())
    append_raw(out, fmt::format(R"(,"signature":{})", block.signature));
  if (!has_citations && !block.citations.empty())
    append_raw(out, fmt::format(R"(,"citations":[{}])", block.citations));
  out.push_back('}');
}

} // namespace

anthropic_block& anthropic_blocks::begin(std::optional<int64_t> index, anthropic_block_kind kind,
                                         std::string_view start) {
  auto& made = all_.emplace_back();
  made.number = all_.size() - 1;
  made.index = index;
  made.kind = kind;
  if (kind == anthropic_block_kind::call) { // may hold the arguments
    made.start = start;
    bytes_ += start.size();
  } else {
    add(made.start, start);
  }
  return made;
}

anthropic_block* anthropic_blocks::find(std::optional<int64_t> index) {
  if (!index)
    return all_.empty() ? nullptr : &all_.back();
  const auto found = std::find_if(all_.rbegin(), all_.rend(),
                                  [index](const auto& each) { return each.index == index; });
  return found == all_.rend() ? nullptr : &*found;
}

void anthropic_blocks::add(std::string& into, std::string_view text) {
  bytes_ += text.size();
  if (bytes_ <= max_bytes)
    into += text;
}

bool anthropic_blocks::keeps_thoughts() const {
  return std::ranges::all_of(all_, [](const auto& each) {
    return each.kind != anthropic_block_kind::thinking || is_signed(each);
  });
}

std::string anthropic_blocks::sealed() const {
  const auto thoughts = keeps_thoughts();
  const auto left_out = [thoughts](const anthropic_block& each) {
    const auto thinks =
        each.kind == anthropic_block_kind::thinking || each.kind == anthropic_block_kind::redacted;
    return (thinks && !thoughts) || !is_json_object(each.start);
  };
  const auto needed = std::ranges::any_of(
      all_, [&](const auto& each) { return !left_out(each) && says_more(each); });
  if (!needed || bytes_ > max_bytes)
    return {};
  json_buffer out;
  out.push_back('[');
  for (const auto& each : all_) {
    if (left_out(each))
      continue;
    if (out.size() > 1)
      out.push_back(',');
    append_block(out, each);
  }
  out.push_back(']');
  // Values that were only skipped by the reader may be no JSON.
  return json_fault(view(out)).empty() ? std::string{view(out)} : std::string{};
}

} // namespace troupe

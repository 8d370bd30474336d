#include "messages/wire/anthropic/anthropic_content.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"

namespace troupe {

namespace {

using block_kind = anthropic_block_kind;

block_kind kind_of_block(std::string_view type) {
  if (type == "text")
    return block_kind::text;
  if (type == "thinking")
    return block_kind::thinking;
  if (type == "tool_use")
    return block_kind::call;
  if (type == "redacted_thinking")
    return block_kind::redacted;
  return type.ends_with("_tool_use") ? block_kind::server_call : block_kind::other;
}

bool is_text(const anthropic_block& block) {
  return block.kind == block_kind::text || block.kind == block_kind::thinking;
}

bool has_arguments(const anthropic_block& block) {
  return block.kind == block_kind::call || block.kind == block_kind::server_call;
}

/// Returns the block that such a delta belongs to, for servers that do not say that it began.
std::string_view start_for(std::string_view delta_type) {
  if (delta_type == R"("text_delta")")
    return R"({"type":"text","text":""})";
  if (delta_type == R"("thinking_delta")" || delta_type == R"("signature_delta")")
    return R"({"type":"thinking","thinking":"","signature":""})";
  if (delta_type == R"("input_json_delta")")
    return R"({"type":"tool_use","input":{}})";
  return {};
}

} // namespace

failure anthropic_content::start(std::optional<int64_t> index, std::string_view block,
                                 std::vector<event>& out) {
  if (!block.starts_with('{'))
    return {};
  if (blocks_.all().size() == anthropic_blocks::max_blocks)
    return {errc::model_answer_invalid,
            fmt::format("The model sent more than {} blocks of content in one answer.",
                        anthropic_blocks::max_blocks)};
  std::string_view type, text, thinking, id, name;
  read_members(
      block,
      {{"type", &type}, {"text", &text}, {"thinking", &thinking}, {"id", &id}, {"name", &name}});
  flush(out);
  auto& made = blocks_.begin(index, kind_of_block(json_string(type)), block);
  if (is_text(made)) {
    auto problem = add_text(made, made.kind == block_kind::text ? text : thinking, out);
    made.has_deltas = false;
    return problem;
  }
  if (made.kind != block_kind::call)
    return {};
  calls_.next_chunk();
  return calls_.add({static_cast<int64_t>(made.number), json_string(id), json_string(name), {}},
                    out);
}

failure anthropic_content::delta(std::optional<int64_t> index, std::string_view delta,
                                 std::vector<event>& out) {
  std::string_view type, text, thinking, arguments, signature, citation, content;
  read_members(delta, {{"type", &type},
                       {"text", &text},
                       {"thinking", &thinking},
                       {"partial_json", &arguments},
                       {"signature", &signature},
                       {"citation", &citation},
                       {"content", &content}});
  auto* block = blocks_.find(index);
  if (block == nullptr) {
    const std::string made{start_for(type)};
    const json_source source{made};
    if (auto problem = start(index, source.root(), out))
      return problem;
    block = blocks_.find(index);
  }
  if (block == nullptr)
    return {};
  if (is_text(*block) && (!text.empty() || !thinking.empty()))
    return add_text(*block, text.empty() ? thinking : text, out);
  if (has_arguments(*block) && !arguments.empty())
    return add_arguments(*block, arguments, out);
  if (signature.starts_with('"'))
    blocks_.put(block->signature, signature);
  if (citation.starts_with('{'))
    blocks_.add(block->citations, (block->citations.empty() ? "" : ",") + std::string{citation});
  if (!content.empty()) {
    blocks_.put(block->content, content);
    block->has_deltas = true;
  }
  return {};
}

bool anthropic_content::known(const anthropic_delta& delta, std::vector<event>& out,
                              failure& problem) {
  auto* block = blocks_.find(delta.index);
  if (block == nullptr)
    return false;
  const auto fits = delta.kind == anthropic_delta_kind::text ? block->kind == block_kind::text
                    : delta.kind == anthropic_delta_kind::thinking
                        ? block->kind == block_kind::thinking
                        : has_arguments(*block);
  if (fits)
    problem = is_text(*block) ? add_text(*block, delta.literal, out)
                              : add_arguments(*block, delta.literal, out);
  return fits;
}

failure anthropic_content::add_text(anthropic_block& block, std::string_view literal,
                                    std::vector<event>& out) {
  if (open_text_ != &block)
    flush(out);
  if (!literal.starts_with('"') || literal.size() <= 2)
    return {};
  calls_.complete_closed(out);
  open_text_ = &block;
  block.has_deltas = true;
  const auto thinks = block.kind == block_kind::thinking;
  const auto before = out.size();
  pieces_.read(literal, thinks, out);
  if (out.size() == before)
    return {};
  any_text_ = any_text_ || !thinks;
  blocks_.add(block.text, thinks ? std::get<reasoning_delta>(out.back()).text
                                 : std::get<text_delta>(out.back()).text);
  return {};
}

/// Shows half a character that waits, as a part of its block.
void anthropic_content::flush(std::vector<event>& out) {
  const auto before = out.size();
  pieces_.flush(out);
  if (out.size() > before && open_text_ != nullptr)
    blocks_.add(open_text_->text, utf8_replacement);
  open_text_ = nullptr;
}

failure anthropic_content::add_arguments(anthropic_block& block, std::string_view literal,
                                         std::vector<event>& out) {
  const auto piece = json_string_piece(literal);
  if (piece.empty())
    return {};
  flush(out);
  block.has_deltas = true;
  blocks_.add(block.text, piece);
  if (block.kind != block_kind::call)
    return {};
  calls_.next_chunk();
  return calls_.add({static_cast<int64_t>(block.number), {}, {}, piece}, out);
}

failure anthropic_content::stop(std::optional<int64_t> index, std::vector<event>& out) {
  auto* block = blocks_.find(index);
  return block == nullptr ? failure{} : stop(*block, out);
}

/// A call whose arguments did not come in pieces has them in its start, or has none.
failure anthropic_content::stop(anthropic_block& block, std::vector<event>& out) {
  if (std::exchange(block.closed, true))
    return {};
  flush(out);
  if (block.kind != block_kind::call)
    return {};
  failure problem;
  if (!block.has_deltas) {
    const json_source start{block.start};
    std::string_view input;
    read_members(start.root(), {{"input", &input}});
    const auto has_members = input.find('"') != std::string_view::npos;
    if (has_members && kind_of(input) == json_kind::object)
      problem = calls_.add({static_cast<int64_t>(block.number), {}, {}, input}, out);
    else if (has_members && kind_of(input) == json_kind::string) // the object as text
      problem = add_arguments(block, input, out);
  }
  calls_.complete_closed(out);
  return problem;
}

failure anthropic_content::list(std::string_view blocks, std::vector<event>& out) {
  failure problem;
  for_each_element(blocks, [&](std::string_view each) {
    const auto index = static_cast<int64_t>(blocks_.all().size());
    problem = start(index, each, out);
    if (!problem)
      problem = stop(index, out);
    return !problem;
  });
  return problem;
}

void anthropic_content::complete(bool cut, std::vector<event>& out) {
  flush(out);
  for (auto& each : blocks_.all())
    if (!cut)
      stop(each, out);
  calls_.complete_all(cut, out);
}

void anthropic_content::complete_started(std::vector<event>& out) {
  flush(out);
  calls_.complete_started(out);
}

} // namespace troupe

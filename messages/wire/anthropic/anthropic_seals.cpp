#include "messages/wire/anthropic/anthropic_seals.hpp"

#include <algorithm>
#include <map>

#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

namespace {

/// Calls that the provider ran, by their ids, until their results come.
using provider_calls = std::map<std::string_view, anthropic_sealed_block*>;

anthropic_sealed_blocks sealed_of(const chat_message& message, const model_request& asked) {
  if (asked.without_seals || message.provider_metadata.empty())
    return {};
  return anthropic_sealed(message, model_name(asked.model),
                          asked.model.reasoning != reasoning_policy::strip);
}

void pair_blocks(anthropic_sealed_block& block, provider_calls& pending) {
  if (!block.call.empty()) {
    block.stands = false;
    pending[block.call] = &block;
  } else if (!block.answers.empty()) {
    const auto call = pending.find(block.answers);
    block.stands = call != pending.end();
    if (!block.stands)
      return;
    call->second->stands = true;
    pending.erase(call);
  }
}

bool is_in(const anthropic_sealed_block& block, const anthropic_sealed_blocks& list) {
  return std::ranges::any_of(list, [&block](const auto& each) { return &each == &block; });
}

} // namespace

std::vector<anthropic_sealed_blocks> anthropic_seals(const model_request& asked,
                                                     const request_history& history) {
  std::vector<anthropic_sealed_blocks> sealed(history.size());
  size_t open_answer = 0; // a user comes first, so 0 is none
  provider_calls pending;
  for (size_t i = 0; i < history.size(); ++i) {
    if (history[i].who == role::user)
      open_answer = 0;
    if (history[i].who != role::assistant)
      continue;
    open_answer = i;
    sealed[i] = sealed_of(history[i], asked);
    for (auto& each : sealed[i])
      pair_blocks(each, pending);
  }
  if (open_answer > 0)
    for (const auto& [id, call] : pending)
      call->stands = is_in(*call, sealed[open_answer]);
  return sealed;
}

bool anthropic_paused(const model_request& asked) {
  if (asked.history.empty() || asked.history.back().who != role::assistant ||
      !asked.history.back().tool_calls.empty())
    return false;
  const auto& last = asked.history.back();
  if (!asked.without_seals && has_anthropic_pause(last.provider_metadata, model_name(asked.model)))
    return true;
  const auto sealed = sealed_of(last, asked);
  if (sealed.empty() || !sealed.back().is_of_provider())
    return false;
  const auto& wanted = sealed.back().answers;
  return wanted.empty() ||
         std::ranges::find(sealed, wanted, &anthropic_sealed_block::call) != sealed.end();
}

} // namespace troupe

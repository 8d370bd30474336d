// Models that want their reasoning of earlier turns back.
#pragma once

#include <string_view>

#include "messages/chat/model_config.hpp"

namespace troupe {

/// Returns the model's policy. Where nobody has chosen another one than `keep`, it is `all` for
/// models that are known for it (Kimi K2.5 and later, DeepSeek V4), and for those that have said so
/// in a refusal. Any thread.
reasoning_policy reasoning_policy_of(const model_config& model);

/// provider::learn: the server refuses a history in which an answer has no reasoning.
bool learn_earlier_reasoning(const model_config& model, std::string_view refusal);

/// The reasoning of a call that has none, for a server that has refused such a one: another model
/// may have made it, and a text without letters does not count.
inline constexpr std::string_view no_reasoning = "(no reasoning)";

} // namespace troupe

// The blocks of an earlier answer, for the model that made them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/wire/history/call_ids.hpp"

namespace troupe {

/// The namespace of chat_message::provider_metadata that the blocks are kept in.
inline constexpr std::string_view anthropic_namespace = "anthropic";

/// The rule of Anthropic for the ids of calls: letters, digits, '_' and '-'.
inline constexpr call_id_rule anthropic_call_ids{};

/// One block that goes back as it came.
struct anthropic_sealed_block {
  std::string json;
  std::string type;    ///< as in "thinking"
  std::string call;    ///< id of a call that the provider ran; "" for any other block
  std::string answers; ///< id of the provider's call that this is the result of, or ""
  bool stands = true;  ///< a call of the provider has its result, and a result its call

  bool is_thought() const noexcept { return type == "thinking" || type == "redacted_thinking"; }

  /// Returns whether the provider made it for itself: nobody else says such a thing.
  bool is_of_provider() const noexcept {
    return !is_thought() && type != "text" && type != "tool_use";
  }
};

using anthropic_sealed_blocks = std::vector<anthropic_sealed_block>;

/// Returns the blocks of an answer of this model, but for empty texts, which are refused. They hold
/// only as long as the message says the same: with another text, call, or file of a client there
/// are none, and the message is written again without seals.
/// @param thoughts whether thoughts go back
anthropic_sealed_blocks anthropic_sealed(const chat_message& message, std::string_view model,
                                         bool thoughts);

/// Returns the metadata of an answer in which the provider paused: it has to go back as the last
/// message, whatever it ends with. @param sealed the metadata so far, from seal_blocks(); "" = none
std::string anthropic_pause_mark(std::string sealed, std::string_view model);

/// Returns whether the metadata have that mark of this model.
bool has_anthropic_pause(std::string_view metadata, std::string_view model);

} // namespace troupe

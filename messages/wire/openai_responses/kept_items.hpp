// The items of an answer that its model wants back: kept with the message, and written again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_responses/responses_items.hpp"

namespace troupe {

/// Returns whose items they are: sealed reasoning can be read by the model that made it, at the
/// same server. "gpt-5 at api.openai.com"
std::string seal_owner(const model_config& model);

/// Returns what is kept of a final item, as JSON: reasoning and messages without ids and what only
/// people see, of a call its id, of all else its type.
/// @param item a slice (see json_slice.hpp)
std::string kept_item(const responses_item& of, std::string_view item);

/// Returns chat_message::provider_metadata that keeps the items; "" where text, reasoning and calls
/// of the message say it all. Of an answer without all its final items nothing is kept.
std::string keep_items(const std::vector<responses_item>& items, const std::string& owner);

/// The items that a message keeps, in their order. They count only if they still say what the
/// message says: a client may have edited it.
class kept_answer {
public:
  /// @param message outlives this
  kept_answer(const chat_message& message, const std::string& owner);

  /// Returns whether the message is to be written from its items.
  bool counts() const noexcept { return counts_; }

  /// One item to write.
  struct entry {
    responses_item_kind kind;
    std::string_view json;           ///< of reasoning and of messages
    const tool_call* call = nullptr; ///< of a call
  };

  /// Returns the items that can be sent: reasoning only in front of the item that it belongs to,
  /// and only if something of it was kept.
  /// @param with_reasoning else without any
  std::vector<entry> to_send(bool with_reasoning) const;

private:
  bool matches(const chat_message& message);

  json_source source_;
  std::vector<entry> entries_;
  bool counts_ = false;
};

} // namespace troupe

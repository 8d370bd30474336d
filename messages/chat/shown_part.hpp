// The parts of a message that a client was shown, as far as the message's other members do not say
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "messages/fields.hpp"

namespace troupe {

// clang-format off
/// An entry of chat_message::shown. `at` and `size` are bytes, `value` is JSON text unless said.
///
///   metadata    the metadata of the UI message, an object; stands first
///   step        a step-start
///   text, reasoning
///               `size` bytes from `at` on of the member with that name; value: the part's other
///               members, an object, where they are not the usual ones
///   call        the call with the id `value` (plain text)
///   title       what the call in front is labelled with, beside its name (plain text)
///   file        the next file; value as for a text
///   part        any other part, an object
///   user, assistant, system
///               a UI message of its own follows, with the id `value` (plain text), that says
///               nothing to a model
///
/// Without any of these a message is shown in the plain way: an answer as step-start, reasoning,
/// text, calls; others as their texts and files. The result of a call has these in front:
///
///   error       the call has failed, the text says why
///   input-error the same; it was shown with its input, so without callProviderMetadata
///   denied      the user refused it
///   json        the output is the text, read as JSON
///   content     the output is `{content}` of text and files; value: its other members
///   output      the output
///   input, rawInput, approval     members of the part; an empty input is none
///   name        the tool's name as the model wrote it (plain text)
///   more        other members of the part, an object
// clang-format on
struct shown_part {
  std::string type;
  uint64_t at = 0;
  uint64_t size = 0;
  std::string value = {};

  bool operator==(const shown_part&) const = default;

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("type", &shown_part::type), field("at", &shown_part::at),
                           field("size", &shown_part::size), field("value", &shown_part::value));
  }
};

/// Returns an entry without a place in a text.
inline shown_part make_shown(std::string_view type, std::string value = {}) {
  return {std::string{type}, 0, 0, std::move(value)};
}

/// Returns the first entry of that type; nullptr if there is none.
inline const shown_part* find_shown(std::span<const shown_part> all, std::string_view type) {
  for (const auto& each : all)
    if (each.type == type)
      return &each;
  return nullptr;
}

/// Returns whether a call's result is shown as an error.
inline bool shows_failure(std::span<const shown_part> all) {
  for (auto type : {"error", "denied", "input-error"})
    if (find_shown(all, type) != nullptr)
      return true;
  return false;
}

/// Returns whether a UI message of its own begins there.
inline bool begins_message(const shown_part& part) {
  return part.type == "user" || part.type == "assistant" || part.type == "system";
}

/// Returns the number of the first entry that begins_message(); the size if none does.
inline size_t end_of_own(std::span<const shown_part> all) {
  size_t at = 0;
  while (at < all.size() && !begins_message(all[at]))
    ++at;
  return at;
}

} // namespace troupe

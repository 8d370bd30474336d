// The parts of an answer in the form in which Gemini wants them back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "messages/wire/gemini/gemini_chunk.hpp"

namespace troupe {

/// Returns what stands for an answer that has nothing but parts which cannot be shown.
/// @param kinds their kinds, with commas between them: "image/png"
std::string gemini_note(std::string_view kinds);

/// Adds the kind of a part that cannot be shown to a list with commas: the media type of a file, or
/// else the name of its member. @param json the part @param member gemini_part::other
void add_gemini_kind(std::string& kinds, std::string_view json, std::string_view member);

/// Collects the parts of one answer. A part with a signature stays by itself and unchanged; texts
/// without one are joined, and thoughts without one left out. Not thread safe.
class gemini_parts {
public:
  static constexpr size_t max_bytes = size_t{4} * 1024 * 1024; ///< with more, none are kept

  void add_text(const gemini_part& part);

  /// Adds a call that came in one part.
  void add_call(const gemini_part& part);

  /// A call whose arguments come in pieces: begins, continues with JSON text, and ends.
  void begin_call(const gemini_part& part);
  void add_arguments(std::string_view text);
  void end_call();

  /// Adds any other part, byte for byte. @param json all of it
  void add_other(std::string_view json, const gemini_part& part);

  /// Returns whether text and calls do not say it all.
  bool are_needed() const noexcept { return needed_ && bytes() <= max_bytes; }

  /// Returns the kinds of the parts that cannot be shown; "" if there are none.
  const std::string& kinds() const noexcept { return kinds_; }

  /// Returns the parts as a JSON array.
  std::string json() const;

private:
  size_t bytes() const noexcept { return list_.size() + text_.size(); }
  void begin_part();
  void end_text();
  void end_part(std::string_view signature);

  std::string list_; ///< without its brackets
  std::string text_; ///< texts that no part in the list has yet, escaped
  std::string kinds_;
  std::string signature_; ///< of the call that continues
  bool needed_ = false;
};

} // namespace troupe

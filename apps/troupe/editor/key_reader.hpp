// Keys and pastes, from the bytes of a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// One key or paste of a person.
struct typed_key {
  enum class kind : uint8_t {
    character, ///< `code`: also Enter, Escape and the bytes of other keys' sequences, one by one
    paste,     ///< `text`
    new_line,  ///< Alt-Enter, or Shift-Enter where the terminal says so: the message continues
  };

  kind what = kind::character;
  char32_t code = 0;
  std::string text; ///< UTF-8; lines end with \n; no other control characters than \n and tabs
};

/// Cuts bytes into keys. The same for every way of cutting its input, but for an Escape, which is a
/// key of its own when nothing follows it. Knows bracketed paste (ESC[200~ ... ESC[201~).
class key_reader {
public:
  void feed(std::string_view bytes) { bytes_.append(bytes); }

  /// Takes the next key. @param quiet no more bytes have come for a while: what is begun is all
  /// @return false: more bytes are needed
  bool next(typed_key& out, bool quiet);

  /// Returns whether the begin of a key waits for the rest. A paste waits as long as it takes.
  bool has_begun() const noexcept { return !pasting_ && !bytes_.empty(); }

  /// Forgets what is begun, a paste, too.
  void clear();

private:
  bool next_paste(typed_key& out);
  bool next_sequence(typed_key& out, bool quiet, bool& taken);
  bool next_character(typed_key& out, bool quiet);

  std::string bytes_;
  bool pasting_ = false;
  size_t searched_ = 0; ///< bytes of a paste without its end
};

} // namespace troupe

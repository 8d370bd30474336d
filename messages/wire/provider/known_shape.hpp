// The texts of a stream differ only in a few values: a text of a known shape is not parsed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Remembers one JSON text as the bytes between the values that change. A text with the same bytes
/// around other values is the same JSON with these values, so it needs no parser: a long answer is
/// decoded several times faster. Not thread safe.
class known_shape {
public:
  static constexpr size_t max_bytes =
      size_t{2} * 1024; ///< larger shapes are not worth their memory
  static constexpr size_t max_string_bytes = size_t{16} * 1024; ///< longer ones go the usual way

  /// The kind of text in the place of a value.
  enum class hole : uint8_t {
    literal, ///< the string that match() gives
    string,  ///< any other one
    number,  ///< whole, without a sign
  };

  /// A value that may differ.
  struct place {
    hole holds;
    size_t first; ///< of a string: after its opening quote
    size_t end;   ///< of a string: its closing quote
  };

  /// Remembers `json` in place of what was known. Gives up after 16 shapes of which none came
  /// again.
  /// @param places in their order; one holds the literal
  /// @return false: it is not worth it, and nothing is known any more
  bool learn(std::string_view json, std::span<const place> places);

  /// Knows nothing any more.
  void forget() noexcept { holes_.clear(); }

  /// Returns the length of the JSON of the known shape at the start of `text`; 0 when it has
  /// another shape or is incomplete. @param literal gets the string, with its quotes
  size_t match(std::string_view text, std::string_view& literal) noexcept;

private:
  struct gap {
    hole holds;
    size_t before; ///< length of the bytes in front of it
  };

  std::string bytes_;      ///< all that does not change
  std::vector<gap> holes_; ///< in their order; none: nothing is known
  uint32_t in_vain_ = 0;   ///< shapes learned since the last match
};

} // namespace troupe

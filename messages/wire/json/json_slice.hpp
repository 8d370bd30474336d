// Pieces of a JSON text: string views that hold exactly one value each.
//
// Slices are taken of a text that was checked (json_source) or taken apart (read_openai_chunk); the
// functions below expect that and never fail.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "messages/json.hpp"

namespace troupe {

/// What a slice holds; `absent` is the empty slice.
enum class json_kind : uint8_t { absent, object, array, string, number, boolean, null };

/// Returns what the slice holds; its first character tells.
json_kind kind_of(std::string_view value) noexcept;

/// Returns whether the key was not there, or null was its value.
inline bool is_nothing(std::string_view value) noexcept {
  return value.empty() || value.front() == 'n';
}

/// Returns the characters of a JSON string; "" for any other value. At an escape that JSON does not
/// know the text ends. Own code, because simdjson 3.0 refuses the lone surrogates that models send
/// when they cut an answer inside a character; here they become U+FFFD.
std::string json_string(std::string_view value);

/// Returns a number without a fraction (1, 1.0, 1e3) that 64 bits hold, else nothing.
std::optional<int64_t> integer_of(std::string_view value);

/// As integer_of, and the number that a string spells ("7"): some peers send ids back that way.
std::optional<int64_t> id_of(std::string_view value);

/// Returns a number; 0 for any other value and for one that no double holds.
double number_of(std::string_view value);

/// Makes the JSON in `out` from byte `from` on a single line: line ends, which can only be space
/// between tokens there, become blanks. For SSE and for newline-delimited JSON.
void keep_on_one_line(json_buffer& out, size_t from);

} // namespace troupe

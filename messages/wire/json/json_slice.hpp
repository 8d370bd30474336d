// Pieces of a JSON text: string views that hold exactly one value each.
//
// A slice belongs to a text that was checked (json_source) or split (read_openai_chunk). The
// functions below rely on that and never fail.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "messages/json.hpp"

namespace troupe {

/// The kind of a slice's value; `absent` is the empty slice.
enum class json_kind : uint8_t { absent, object, array, string, number, boolean, null };

/// Returns the kind of the slice's value, by its first character.
json_kind kind_of(std::string_view value) noexcept;

/// Returns whether the key was missing or its value was null.
inline bool is_nothing(std::string_view value) noexcept {
  return value.empty() || value.front() == 'n';
}

/// Returns the characters of a JSON string; "" for any other value. At an escape that JSON does not
/// know the text ends. Own code, because simdjson 3.0 refuses the lone surrogates that models send
/// when they cut an answer inside a character; here they become U+FFFD.
std::string json_string(std::string_view value);

/// Returns a number without a fraction (1, 1.0, 1e3) that 64 bits hold, else nothing.
std::optional<int64_t> integer_of(std::string_view value);

/// Like integer_of; also reads a number in a string ("7"), because some peers send ids back that
/// way.
std::optional<int64_t> id_of(std::string_view value);

/// Returns a number; 0 for any other value and for a number too large for a double.
double number_of(std::string_view value);

/// Turns the line ends in `out`, from byte `from` on, into blanks. In JSON they can only be space
/// between tokens. For SSE and newline-delimited JSON.
void keep_on_one_line(json_buffer& out, size_t from);

} // namespace troupe

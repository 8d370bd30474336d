// The escapes of JSON strings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// What becomes of halves of surrogate pairs that have no other half: U+FFFD, or, of a low one that
/// begins the text and a high one that ends it, the three bytes by which WTF-8 writes them, so that
/// what stands before or behind the text can still complete them (see surrogate_joiner).
enum class lone_halves : bool { replaced, kept_at_ends };

/// Returns what the inside of a JSON string means. At an escape that JSON does not know it ends.
/// @param slash where its first backslash is
std::string unescaped(std::string_view literal, size_t slash, lone_halves halves);

} // namespace troupe

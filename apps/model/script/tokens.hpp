// Cuts text into the tokens that it is streamed in.
#pragma once

#include <cstddef>
#include <string_view>

namespace troupe::scripted {

/// Returns the first token of `text`: a word with the white space before it, at most 32 bytes,
/// never cut inside a UTF-8 character. "" only for "". Joined, the tokens are the text.
std::string_view first_token(std::string_view text);

/// Returns how many tokens `text` has.
size_t count_tokens(std::string_view text);

} // namespace troupe::scripted

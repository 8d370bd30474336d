// Seals of the scripted model's thoughts: signatures, encrypted reasoning.
#pragma once

#include <string>
#include <string_view>

namespace troupe::scripted {

/// Returns the seal of a text, in characters of base64. The same text has the same seal in every
/// process, so that a request without a memory of the answer can be checked.
std::string seal_of(std::string_view text);

} // namespace troupe::scripted

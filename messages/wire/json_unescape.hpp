// The inside of a JSON string literal as text.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Appends the text of a JSON string to `out`. A lone surrogate becomes U+FFFD (models that cut
/// their answer inside a character do send them).
/// @param literal what stands between the quotes
/// @return false at the first escape that JSON does not know; what came before it was appended
bool append_unescaped(std::string& out, std::string_view literal);

} // namespace troupe

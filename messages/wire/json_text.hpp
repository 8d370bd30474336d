// Checks on JSON that is passed on as text.
#pragma once

#include <string_view>

namespace troupe {

/// Returns whether `text` is one valid JSON object and nothing else (RFC 8259).
bool is_json_object(std::string_view text);

} // namespace troupe

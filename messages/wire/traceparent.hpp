// W3C trace context (https://www.w3.org/TR/trace-context/): one header, "00-TRACE-PARENT-FLAGS".
#pragma once

#include <string_view>

namespace troupe {

/// Returns whether the text is a traceparent of version 00 to fe: lower-case hexadecimal digits,
/// neither id all zeros. Later versions may add more after a dash. Any thread.
bool is_traceparent(std::string_view text);

} // namespace troupe

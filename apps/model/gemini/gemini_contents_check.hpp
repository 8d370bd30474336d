// The rules that Gemini holds the contents of a request to.
#pragma once

#include <string>
#include <string_view>

#include <simdjson.h>

#include "messages/errors.hpp"

namespace troupe::scripted {

/// Checks `contents`. Fails with errc::request_invalid, naming the place. Any thread.
failure check_gemini_contents(simdjson::dom::array contents);

/// Returns whether Gemini takes it as a function's name: fits_name, and begins with a letter or
/// '_'.
bool fits_gemini_name(std::string_view name);

/// Returns an error as of a name that the API does not know; none without one.
failure unknown_name(std::string_view name, const std::string& place);

} // namespace troupe::scripted

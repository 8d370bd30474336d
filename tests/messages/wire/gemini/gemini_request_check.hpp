// What Gemini refuses in the body of a request: the first fault, or "". As strict as the strictest
// of its servers.
#pragma once

#include <string>
#include <string_view>

namespace troupe::test {

/// What a server demands.
struct gemini_rules {
  bool wants_signatures = true;  ///< generation 3: the first call of a step has a signature
  bool takes_json_schema = true; ///< else its own subset only
};

/// Returns what Gemini refuses in the body of a request, or "".
std::string gemini_body_fault(std::string_view body, gemini_rules rules = {});

} // namespace troupe::test

// What Ollama's server takes of the body of a chat request, as strict as its types are, and
// stricter where it ignores or drops something without a word.
#pragma once

#include <string>
#include <string_view>

namespace troupe::test {

/// Returns what Ollama would refuse, ignore or drop in a body; "" if nothing.
std::string ollama_body_fault(std::string_view body);

} // namespace troupe::test

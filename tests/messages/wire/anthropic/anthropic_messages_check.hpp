// What Anthropic demands of the messages of a request.
#pragma once

#include "tests/messages/wire/anthropic/anthropic_faults.hpp"

namespace troupe::test {

/// Adds what would be refused in the messages of a body.
/// @param by_budget the request asks for thoughts by a budget
void check_anthropic_messages(const json_node& body, bool by_budget, anthropic_faults& into);

} // namespace troupe::test

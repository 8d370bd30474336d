// What Anthropic demands of the messages of a request.
#pragma once

#include "tests/messages/wire/anthropic/anthropic_faults.hpp"

namespace troupe::test {

/// What is known of a request beside its messages.
struct anthropic_asking {
  bool by_budget = false;  ///< it asks for thoughts by a budget
  bool was_paused = false; ///< the last message is an answer in which Anthropic paused
};

/// Adds what would be refused in the messages of a body.
void check_anthropic_messages(const json_node& body, anthropic_asking asked,
                              anthropic_faults& into);

} // namespace troupe::test

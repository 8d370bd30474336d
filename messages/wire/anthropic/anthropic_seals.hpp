// The sealed answers of a whole history.
#pragma once

#include <vector>

#include "messages/wire/anthropic/anthropic_sealed.hpp"
#include "messages/wire/history/request_history.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// Returns the blocks of each message of the history; none for messages that are not answers of the
/// model that is asked. A call of the provider and its result may stand in two answers; one without
/// the other does not stand, but for a call in the last answer, as long as the user says nothing
/// behind it: the provider paused there, or a program that it runs waits for results of ours.
std::vector<anthropic_sealed_blocks> anthropic_seals(const model_request& asked,
                                                     const request_history& history);

/// Returns whether the provider paused in the last answer: it ends with a block of its own, which
/// can stand there.
bool anthropic_paused(const model_request& asked);

} // namespace troupe

// The texts of a load's users.
#pragma once

#include <cstdint>
#include <string>

#include "apps/bench/plan/plan.hpp"

namespace troupe::bench {

/// Returns the text of a turn's message. A session goes through the plan's texts in turn; each
/// session begins with the next text, so that sessions of one turn use all texts, too. @param lane
/// below plan.lanes
/// @param session its number in the lane @param turn in the session, from 0
const std::string& user_text(const bench_plan& plan, uint32_t lane, uint64_t session,
                             uint32_t turn);

} // namespace troupe::bench

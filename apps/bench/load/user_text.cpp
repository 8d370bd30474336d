#include "apps/bench/load/user_text.hpp"

#include <algorithm>

namespace troupe::bench {

const std::string& user_text(const bench_plan& plan, uint32_t lane, uint64_t session,
                             uint32_t turn) {
  static const std::string short_one{"Say something."};
  const auto& texts = plan.work.texts;
  const uint64_t in_run = session * std::max(plan.lanes, 1U) + lane;
  return texts.empty() ? short_one : texts[(in_run + turn) % texts.size()];
}

} // namespace troupe::bench

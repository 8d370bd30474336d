#include "actors/model/model_stream_state.hpp"

namespace troupe {

errc model_deadlines::passed(time_point now) const noexcept {
  auto first = reads() && !has_event_ ? after(began_, limits_.first_token) : never;
  auto idle = reads() && has_body_ ? after(last_read_, limits_.idle) : never;
  auto earliest = std::min({total_at_, first, idle});
  if (now < earliest || earliest == never)
    return errc::none;
  if (earliest == total_at_)
    return errc::model_timeout;
  return earliest == first ? errc::model_first_token_timeout : errc::model_idle_timeout;
}

model_deadlines::time_point model_deadlines::next(time_point now) const noexcept {
  auto next = std::min(total_at_, over_at());
  if (running_)
    next = std::min(next, after(reads() && has_body_ ? last_read_ : now, limits_.idle));
  if (reads() && !has_event_)
    next = std::min(next, after(began_, limits_.first_token));
  return next;
}

std::chrono::milliseconds model_deadlines::left(time_point now) const noexcept {
  if (total_at_ == never)
    return milliseconds::max();
  return std::chrono::duration_cast<milliseconds>(std::max(total_at_, now) - now);
}

} // namespace troupe

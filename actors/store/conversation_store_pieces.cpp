#include <utility>

#include "actors/store/conversation_store_state.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;

/// How long other writes have the store for themselves before the next piece: a turn saves twice
/// or more within a few milliseconds.
constexpr milliseconds pause{15};

} // namespace

caf::result<info_answer> conversation_store_state::on_change(change_conversation& ask) {
  const bool may_be_long =
      ask.verb == conversation_verb::import || ask.verb == conversation_verb::branch;
  if (may_be_long && !status.error) {
    commit(); // a copy must not hold what may be rolled back later
    if (auto work = status.error ? nullptr : connection->stage(ask)) {
      auto promise = self->make_response_promise<info_answer>();
      long_changes.push_back({std::move(work), promise});
      if (long_changes.size() == 1)
        piece_after(milliseconds{0});
      return promise;
    }
  }
  return on_write<change_write, info_answer>(ask);
}

/// Puts the piece off once if others wrote since the last one. Not more than once: the change must
/// come to its end, too.
void conversation_store_state::on_piece() {
  if (long_changes.empty())
    return;
  commit(); // a piece has a transaction of its own
  const bool others = std::exchange(pieced_writes, writes()) != writes();
  paused = others && !paused;
  if (paused)
    return piece_after(pause);
  do_piece();
  pieced_writes = writes();
  if (!long_changes.empty())
    piece_after(milliseconds{0});
}

void conversation_store_state::do_piece() {
  auto change = std::move(long_changes.front());
  long_changes.pop_front();
  info_answer out;
  bool more = false;
  out.error = status.error;
  if (!out.error)
    out.error = change.work->step(more, out.info);
  if (!out.error && more)
    return long_changes.push_back(std::move(change));
  change.work.reset();
  const bool bad = of_store(out.error);
  status.failures += bad ? 1 : 0;
  status.saves += out.error ? 0 : 1;
  if (bad && !status.error && !works_after(out.error))
    fail(out.error);
  change.promise.deliver(std::move(out));
  wake_after(tidy_delay);
}

void conversation_store_state::piece_after(milliseconds delay) {
  if (delay == milliseconds{0})
    self->send(self, atom::piece_v); // behind everything that waits
  else
    self->delayed_send(self, delay, atom::piece_v);
}

void conversation_store_state::give_up(const failure& why) {
  for (auto& each : std::exchange(long_changes, {})) {
    each.work.reset();
    info_answer out;
    out.error = why;
    each.promise.deliver(std::move(out));
  }
}

} // namespace troupe

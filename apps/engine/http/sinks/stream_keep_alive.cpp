#include "apps/engine/http/sinks/stream_keep_alive.hpp"

#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "messages/interfaces/interfaces.hpp"

namespace troupe {

namespace {

using time_point = std::chrono::steady_clock::time_point;

} // namespace

/// The answers that wait. They share one timer, because there are many and most begin at once.
struct stream_keep_alive::waiting {
  struct row {
    time_point due;
    std::weak_ptr<held_back_stream> which;
  };

  /// @return whether it is the only row: the timer must be started
  bool add(row made) {
    std::lock_guard guard{mutex};
    rows.push_back(std::move(made));
    return rows.size() == 1;
  }

  /// Takes what is due. @return when the next one is
  std::optional<time_point> take(time_point now,
                                 std::vector<std::shared_ptr<held_back_stream>>& out) {
    std::lock_guard guard{mutex};
    for (; !rows.empty() && rows.front().due <= now; rows.pop_front())
      if (auto alive = rows.front().which.lock())
        out.push_back(std::move(alive));
    return rows.empty() ? std::optional<time_point>{} : rows.front().due;
  }

  std::mutex mutex;
  std::deque<row> rows; ///< in the order of `due`, about
};

stream_keep_alive::stream_keep_alive(caf::actor_system& system)
    : system_{system}, waiting_{std::make_shared<waiting>()},
      timer_{system.spawn([all = waiting_](caf::event_based_actor* self) -> caf::behavior {
        quiet(self);
        return {[self, all](atom::tick) {
          std::vector<std::shared_ptr<held_back_stream>> due;
          const auto now = self->clock().now();
          const auto next = all->take(now, due);
          for (const auto& each : due)
            each->send_keep_alive();
          if (next)
            self->delayed_send(self, *next - now, atom::tick_v);
        }};
      })} {}

stream_keep_alive::~stream_keep_alive() {
  caf::anon_send_exit(timer_, caf::exit_reason::user_shutdown);
}

void stream_keep_alive::add(const std::shared_ptr<held_back_stream>& which) {
  if (waiting_->add({system_.scheduler().clock().now() + limit, which}))
    caf::anon_send(timer_, atom::tick_v);
}

} // namespace troupe

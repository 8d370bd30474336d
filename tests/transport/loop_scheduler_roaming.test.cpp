#include <future>
#include <memory>
#include <vector>

#include <caf/all.hpp>

#include "tests/support/catch.hpp"
#include "transport/loop.hpp"
#include "transport/loop_scheduler.hpp"

using troupe::loop;

namespace {

/// Tells who asks where it runs, and has another actor tell it, too.
struct roamer {
  static inline const char* name = "roamer";
};

caf::behavior roam(caf::stateful_actor<roamer>* self) {
  return {[self](int) {
    self->spawn([asker = caf::actor_cast<caf::actor>(self->current_sender())](
                    caf::event_based_actor* made) { made->send(asker, loop::current()->index()); });
    return loop::current()->index();
  }};
}

} // namespace

TEST_CASE("an actor that roams runs where it is asked, and what it spawns begins there",
          "[transport][loop_scheduler]") {
  troupe::shards all{3};
  caf::actor_system_config config;
  troupe::load_loop_scheduler(config, all, {"roamer"});
  caf::actor_system system{config};
  auto service = system.spawn(roam);
  for (size_t i : {0u, 2u, 1u, 0u}) {
    for (size_t each = 0; each < 6; ++each) // the second one comes when the actors have had a turn
      all.at(each % 3).call([] {});
    std::promise<std::vector<size_t>> where;
    all.at(i).call([&] {
      system.spawn([&where, service](caf::event_based_actor* self) -> caf::behavior {
        self->send(service, 1);
        auto seen = std::make_shared<std::vector<size_t>>();
        return {[&where, seen, self](size_t index) {
          seen->push_back(index);
          if (seen->size() < 2)
            return;
          where.set_value(*seen);
          self->quit();
        }};
      });
    });
    CHECK(where.get_future().get() == std::vector<size_t>{i, i});
  }
  caf::anon_send_exit(service, caf::exit_reason::user_shutdown);
}

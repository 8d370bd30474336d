#include <future>
#include <memory>
#include <optional>
#include <vector>

#include <caf/all.hpp>

#include "tests/support/catch.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/loop_scheduler.hpp"

namespace loop_scheduler_roaming_test {

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

/// An actor system on some shards.
struct fixture {
  explicit fixture(size_t count = 2) : all{count} {
    troupe::load_loop_scheduler(config, all, {"roamer"});
    system.emplace(config);
  }

  troupe::shards all;
  caf::actor_system_config config;
  std::optional<caf::actor_system> system;
};

} // namespace

TEST_CASE("an actor that roams runs where it is asked, and what it spawns begins there",
          "[transport][loop_scheduler]") {
  fixture f{3};
  auto service = f.system->spawn(roam);
  for (size_t i : {0u, 2u, 1u, 0u}) {
    for (size_t each = 0; each < 6; ++each) // the second one comes when the actors have had a turn
      f.all.at(each % 3).call([] {});
    std::promise<std::vector<size_t>> where;
    f.all.at(i).call([&] {
      f.system->spawn([&where, service](caf::event_based_actor* self) -> caf::behavior {
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

TEST_CASE("an actor that roams goes before those that are ready where it is asked",
          "[transport][loop_scheduler]") {
  fixture f;
  std::vector<size_t> told; // by whom, in order; 0 is the one that roams
  std::promise<void> done;
  constexpr size_t count = 10;
  auto tell = [&](size_t who) {
    told.push_back(who);
    if (told.size() == count + 1)
      done.set_value();
  };
  f.all.at(0).call([&] {
    std::vector<caf::actor> others;
    for (size_t i = 1; i <= count; ++i)
      others.push_back(f.system->spawn([=](caf::event_based_actor* self) -> caf::behavior {
        return {[=](int) {
          tell(i);
          self->quit();
        }};
      }));
    auto service = f.system->spawn([=](caf::stateful_actor<roamer>* self) -> caf::behavior {
      return {[=](int) {
        tell(0);
        self->quit();
      }};
    });
    for (const auto& each : others)
      caf::anon_send(each, 1);
    caf::anon_send(service, 1);
  });
  done.get_future().get();
  CHECK(told.front() == 0);
}

TEST_CASE("actors that roam and never rest leave others their turns",
          "[transport][loop_scheduler]") {
  fixture f;
  std::promise<void> done;
  std::vector<caf::actor> restless;
  for (int i = 0; i < 2; ++i)
    restless.push_back(f.system->spawn([](caf::stateful_actor<roamer>* self) -> caf::behavior {
      return {[self](int) { self->send(self, 1); }};
    }));
  f.all.at(0).call([&] {
    for (const auto& each : restless)
      caf::anon_send(each, 1);
    f.system->spawn([&done, left = 1000](caf::event_based_actor* self) mutable -> caf::behavior {
      self->send(self, 1);
      return {[&done, left, self](int) mutable {
        if (--left > 0)
          return self->send(self, 1);
        done.set_value();
        self->quit();
      }};
    });
  });
  done.get_future().get();
  for (const auto& each : restless)
    caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
}

} // namespace loop_scheduler_roaming_test

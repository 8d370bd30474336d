#include "transport/loop/loop_scheduler.hpp"

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include <caf/all.hpp>

#include "tests/support/catch.hpp"
#include "transport/loop/loop.hpp"

namespace loop_scheduler_test {

using namespace std::chrono_literals;
using troupe::loop;

namespace {

/// An actor system on two shards.
struct fixture {
  explicit fixture(size_t count = 2) : all{count} {
    troupe::load_loop_scheduler(config, all);
    config.set("scheduler.max-throughput", 50);
    system.emplace(config);
  }

  /// Waits until the actors of a shard have run. One task is not enough: it can be over while the
  /// loop has yet to look after its actors, which it does before it takes the next task.
  void come_to_rest(size_t shard) {
    for (int task = 0; task < 2; ++task)
      all.at(shard).call([] {});
  }

  troupe::shards all;
  caf::actor_system_config config;
  std::optional<caf::actor_system> system;
};

/// Sends a number back, one less, until it is 0; then fulfils the promise.
caf::behavior player(caf::event_based_actor* self, std::atomic<int>* done,
                     std::promise<void>* all_done, int games) {
  return {[=](int left) {
    if (loop::current() == nullptr)
      *done = -1'000'000; // not on a loop
    if (left > 0)
      self->send(caf::actor_cast<caf::actor>(self->current_sender()), left - 1);
    else if (++*done == games)
      all_done->set_value();
  }};
}

} // namespace

TEST_CASE("actors play ping-pong across shards, all on loop threads",
          "[transport][loop_scheduler]") {
  fixture f;
  constexpr int games = 200;
  std::atomic<int> done{0};
  std::promise<void> all_done;
  std::vector<caf::actor> players;
  for (int i = 0; i < games * 2; ++i)
    players.push_back(f.system->spawn(player, &done, &all_done, games));
  for (size_t i = 0; i < games; ++i)
    caf::send_as(players[2 * i], players[2 * i + 1], 500 + static_cast<int>(i % 2));
  all_done.get_future().get();
  CHECK(done == games);
  for (auto& each : players)
    caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
}

TEST_CASE("a message from a loop's own task runs its actor on that loop",
          "[transport][loop_scheduler]") {
  fixture f{3};
  std::promise<size_t> where;
  auto* told = &where;
  auto actor = f.system->spawn([&told](caf::event_based_actor*) -> caf::behavior {
    return {[&told](int) { told->set_value(loop::current()->index()); }};
  });
  for (size_t i : {0u, 2u, 1u, 0u}) {
    where = {};
    f.all.at(i).post([actor] { caf::anon_send(actor, 1); });
    CHECK(where.get_future().get() == i);
    f.come_to_rest(i); // a running actor takes the message where it is
  }
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

TEST_CASE("an answer reaches an actor on the shard where it ran last",
          "[transport][loop_scheduler]") {
  fixture f;
  std::promise<void> warm;
  std::promise<std::pair<size_t, size_t>> where;
  auto echo = f.system->spawn([&warm]() -> caf::behavior {
    return {[&warm](caf::unit_t) { warm.set_value(); },
            [](int) { return loop::current()->index(); }};
  });
  auto asker = f.system->spawn([&](caf::event_based_actor* self) -> caf::behavior {
    return {[&, self](int) {
      const auto own = loop::current()->index();
      self->request(echo, caf::infinite, 1)
          .then(
              [&, own](size_t other) {
                CHECK(loop::current()->index() == own);
                where.set_value({own, other});
              },
              [&](caf::error&) {
                where.set_value({9, 9});
              });
    }};
  });
  for (size_t i = 0; i < 2; ++i) // both have started, wherever that was
    f.come_to_rest(i);
  f.all.at(1).post([&] { caf::anon_send(echo, caf::unit); });
  warm.get_future().get();
  f.come_to_rest(1);
  f.all.at(0).post([&] { caf::anon_send(asker, 0); });
  const auto [own, other] = where.get_future().get();
  CHECK(own == 0);
  CHECK(other == 1);
  caf::anon_send_exit(echo, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(asker, caf::exit_reason::user_shutdown);
}

TEST_CASE("delayed messages arrive in the order of their time, and not early",
          "[transport][loop_scheduler]") {
  fixture f;
  using clock = std::chrono::steady_clock;
  std::promise<std::vector<int>> order;
  const auto start = clock::now();
  auto actor = f.system->spawn([&](caf::event_based_actor* self) -> caf::behavior {
    auto seen = std::make_shared<std::vector<int>>();
    for (int each : {300, 100, 200, 50, 250, 150})
      self->delayed_send(self, std::chrono::milliseconds{each}, each);
    return {[&order, seen, start, self](int which) {
      CHECK(clock::now() - start >= std::chrono::milliseconds{which});
      seen->push_back(which);
      if (seen->size() == 6) {
        order.set_value(*seen);
        self->quit();
      }
    }};
  });
  CHECK(order.get_future().get() == std::vector<int>{50, 100, 150, 200, 250, 300});
}

TEST_CASE("delayed messages work from other threads", "[transport][loop_scheduler]") {
  fixture f;
  caf::scoped_actor self{*f.system};
  self->delayed_send(self, 2ms, 7);
  int got = 0;
  self->receive([&](int x) { got = x; });
  CHECK(got == 7);
}

TEST_CASE("a request that is not answered times out", "[transport][loop_scheduler]") {
  fixture f;
  auto silent = f.system->spawn([](caf::event_based_actor* self) -> caf::behavior {
    auto kept = std::make_shared<std::vector<caf::response_promise>>();
    return {[=](int) -> caf::result<int> {
      kept->push_back(self->make_response_promise());
      return caf::delegated<int>{};
    }};
  });
  std::promise<caf::error> reason;
  f.system->spawn([&](caf::event_based_actor* self) {
    self->request(silent, 5ms, 1)
        .then([&](int) { reason.set_value({}); }, [&](caf::error& e) { reason.set_value(e); });
  });
  CHECK(reason.get_future().get() == caf::sec::request_timeout);
  caf::scoped_actor self{*f.system};
  caf::error seen;
  self->request(silent, 5ms, 1).receive([](int) {}, [&](caf::error& e) { seen = e; });
  CHECK(seen == caf::sec::request_timeout);
  caf::anon_send_exit(silent, caf::exit_reason::user_shutdown);
}

TEST_CASE("receive timeouts fire and are replaced by messages", "[transport][loop_scheduler]") {
  fixture f;
  std::promise<int> fired;
  const auto kept = f.system->spawn([&](caf::event_based_actor* self) -> caf::behavior {
    for (int i = 0; i < 10; ++i)
      self->send(self, i);
    auto count = std::make_shared<int>(0);
    return {[=](int) { ++*count; }, caf::after(10ms) >>
                                        [&fired, self, count] {
                                          fired.set_value(*count);
                                          self->quit();
                                        }};
  });
  CHECK(fired.get_future().get() == 10);
}

TEST_CASE("a dead actor is let go although its timeouts were far away",
          "[transport][loop_scheduler]") {
  fixture f;
  auto watched = std::make_shared<int>(1);
  std::weak_ptr<int> gone = watched;
  {
    caf::scoped_actor self{*f.system};
    auto actor = f.system->spawn([held = std::move(watched)](caf::event_based_actor* me) mutable {
      return caf::behavior{[me, kept = std::move(held)](int) {
        me->delayed_send(me, std::chrono::minutes{60}, 2);
        me->quit();
      }};
    });
    self->send(actor, 1);
    self->wait_for(actor);
  }
  for (size_t i = 0; i < 2; ++i)
    f.all.at(i).call([] {});
  CHECK(gone.expired());
}

TEST_CASE("detached and blocking actors work beside those on the loops",
          "[transport][loop_scheduler]") {
  fixture f;
  auto worker = f.system->spawn<caf::detached>([]() -> caf::behavior {
    return {[](int x) { return loop::current() == nullptr ? x * 2 : -1; }};
  });
  caf::scoped_actor self{*f.system};
  std::promise<int> sum;
  auto asker = f.system->spawn([&](caf::event_based_actor* me) -> caf::behavior {
    auto total = std::make_shared<int>(0);
    for (int i = 1; i <= 100; ++i)
      me->request(worker, 60s, i)
          .then(
              [&, total, i, me](int y) {
                *total += y;
                if (i == 100) {
                  sum.set_value(*total);
                  me->quit();
                }
              },
              [&](caf::error&) { sum.set_value(-1); });
    return {[](caf::unit_t) {}};
  });
  CHECK(sum.get_future().get() == 10'100);
  caf::anon_send_exit(worker, caf::exit_reason::user_shutdown);
}

TEST_CASE("a system ends at once although delayed messages are pending",
          "[transport][loop_scheduler]") {
  int rounds = 0;
  for (; rounds < 1000; ++rounds) {
    fixture f;
    caf::scoped_actor self{*f.system};
    auto actor = f.system->spawn([](caf::event_based_actor* me) -> caf::behavior {
      me->delayed_send(me, std::chrono::minutes{60}, 1);
      me->set_default_handler(caf::drop);
      return {[=](int) { me->delayed_send(me, std::chrono::minutes{60}, 1); }};
    });
    caf::anon_send(actor, 1);
    self->delayed_send(actor, std::chrono::minutes{60}, 2);
    caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
    self->wait_for(actor);
  }
  CHECK(rounds == 1000);
}

TEST_CASE("a system may end after its loops have stopped", "[transport][loop_scheduler]") {
  int rounds = 0;
  for (; rounds < 50; ++rounds) {
    fixture f;
    {
      caf::scoped_actor self{*f.system};
      auto actor = f.system->spawn([]() -> caf::behavior { return {[](int x) { return x; }}; });
      self->request(actor, 10s, 1).receive([](int) {}, [](caf::error&) { FAIL("no answer"); });
      caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
      self->wait_for(actor);
    }
    f.all.stop();
    f.system.reset();
  }
  CHECK(rounds == 50);
}

TEST_CASE("a system that does not wait for its actors ends in the middle of their work",
          "[transport][loop_scheduler]") {
  int rounds = 0;
  for (; rounds < 50; ++rounds) {
    fixture f;
    f.system->await_actors_before_shutdown(false);
    std::atomic<int> done{0};
    std::promise<void> never;
    auto one = f.system->spawn(player, &done, &never, 1'000'000);
    auto two = f.system->spawn(player, &done, &never, 1'000'000);
    caf::send_as(one, two, 1'000'000'000);
  }
  CHECK(rounds == 50);
}

} // namespace loop_scheduler_test

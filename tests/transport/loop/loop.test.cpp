#include "transport/loop/loop.hpp"

#include <atomic>
#include <csignal>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

#include "tests/support/catch.hpp"
#include "transport/loop/timer.hpp"

namespace loop_test {

using namespace std::chrono_literals;
using troupe::loop;

namespace {

/// A stage that notes its name in a log, and reports progress as often as it is told to.
struct noting_stage : troupe::loop_stage {
  noting_stage(std::string& where, char what) : log{where}, name{what} {}
  bool run() override {
    if (left == 0)
      return false;
    --left;
    log += name;
    if (left == 0 && at_end)
      at_end();
    return true;
  }
  std::string& log;
  char name;
  int left = 0;
  std::function<void()> at_end;
};

/// Never comes to rest.
struct restless_stage : troupe::loop_stage {
  bool run() override {
    ++runs;
    return true;
  }
  std::atomic<size_t> runs{0};
};

} // namespace

TEST_CASE("a loop runs what one thread posts in order", "[transport][loop]") {
  loop on{0};
  std::vector<int> seen;
  for (int i = 0; i < 1000; ++i)
    on.post([&seen, i] { seen.push_back(i); });
  on.call([] {});
  REQUIRE(seen.size() == 1000);
  for (int i = 0; i < 1000; ++i)
    REQUIRE(seen[static_cast<size_t>(i)] == i);
}

TEST_CASE("a loop runs every task that many threads post", "[transport][loop]") {
  loop on{0};
  size_t seen = 0; // no atomic: only the loop's thread may touch it
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 5000; ++i)
          on.post([&] { ++seen; });
      });
  }
  on.call([] {});
  CHECK(seen == 20'000);
}

TEST_CASE("a task knows its loop, and what it posts runs before the loop sleeps",
          "[transport][loop]") {
  loop on{3};
  CHECK(loop::current() == nullptr);
  CHECK_FALSE(on.is_current());
  std::promise<bool> inner;
  on.post([&] { on.post([&] { inner.set_value(loop::current() == &on && on.is_current()); }); });
  CHECK(inner.get_future().get());
  CHECK(on.index() == 3);
}

TEST_CASE("run works at once on the loop's own thread", "[transport][loop]") {
  loop on{0};
  std::string log;
  on.call([&] {
    on.run([&] { log += 'a'; });
    log += 'b';
  });
  CHECK(log == "ab");
}

TEST_CASE("a loop's thread has its name and no signals", "[transport][loop]") {
  loop on{7};
  char name[32] = {};
  sigset_t mask;
  sigemptyset(&mask);
  on.call([&] {
    pthread_getname_np(pthread_self(), name, sizeof name);
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  });
  CHECK(std::string{name} == "troupe-loop-7");
  CHECK(sigismember(&mask, SIGTERM) == 1);
  CHECK(sigismember(&mask, SIGINT) == 1);
  sigset_t own;
  pthread_sigmask(SIG_BLOCK, nullptr, &own);
  CHECK(sigismember(&own, SIGTERM) == 0);
}

TEST_CASE("stop runs what was posted before and destroys what comes after", "[transport][loop]") {
  loop on{0};
  std::atomic<int> ran{0};
  for (int i = 0; i < 100; ++i)
    on.post([&] { ++ran; });
  on.stop();
  on.stop();
  CHECK(ran == 100);
  auto held = std::make_shared<int>(1);
  on.post([held, &ran] { ++ran; });
  CHECK(held.use_count() == 1);
  CHECK(ran == 100);
}

TEST_CASE("call runs on the caller's thread after stop", "[transport][loop]") {
  loop on{0};
  on.stop();
  auto id = std::thread::id{};
  on.call([&] { id = std::this_thread::get_id(); });
  CHECK(id == std::this_thread::get_id());
}

TEST_CASE("later stages wait until the earlier ones are quiet", "[transport][loop]") {
  loop on{0};
  std::string log;
  noting_stage actors{log, 'a'}, transfers{log, 't'}, writes{log, 'w'};
  std::promise<void> written;
  writes.at_end = [&] { written.set_value(); };
  on.call([&] {
    on.add(loop::stage::writes, writes);
    on.add(loop::stage::actors, actors);
    on.add(loop::stage::transfers, transfers);
    actors.left = 2;
    transfers.left = 1;
    writes.left = 1;
  });
  written.get_future().get();
  on.call([&] {
    on.remove(loop::stage::writes, writes);
    on.remove(loop::stage::actors, actors);
    on.remove(loop::stage::transfers, transfers);
    actors.left = transfers.left = writes.left = 1;
  });
  on.call([] {});
  CHECK(log == "aatw");
}

TEST_CASE("a stage may remove itself while it runs", "[transport][loop]") {
  struct once : troupe::loop_stage {
    explicit once(loop& where) : on{where} {}
    bool run() override {
      ++runs;
      on.remove(loop::stage::transfers, *this);
      ran.set_value(); // throws if it runs again
      return true;
    }
    loop& on;
    std::promise<void> ran;
    int runs = 0;
  };
  loop on{0};
  once stage{on};
  on.call([&] { on.add(loop::stage::transfers, stage); });
  stage.ran.get_future().get();
  on.stop();
  CHECK(stage.runs == 1);
}

TEST_CASE("again gives every stage another turn before the loop sleeps", "[transport][loop]") {
  loop on{0};
  std::string log;
  noting_stage actors{log, 'a'};
  std::promise<void> ran;
  actors.at_end = [&] { ran.set_value(); };
  struct waking : troupe::loop_stage {
    bool run() override {
      if (target != nullptr) {
        target->left = 1;
        target = nullptr;
        on->again();
      }
      return false; // says nothing of what it did
    }
    loop* on = nullptr;
    noting_stage* target = nullptr;
  } writes;
  on.call([&] {
    writes.on = &on;
    writes.target = &actors;
    on.add(loop::stage::actors, actors);
    on.add(loop::stage::writes, writes);
  });
  ran.get_future().get();
  on.stop();
  CHECK(log == "a");
}

TEST_CASE("a stage that never rests starves neither tasks nor timers nor later stages",
          "[transport][loop]") {
  loop on{0};
  restless_stage busy;
  std::string log;
  noting_stage writes{log, 'w'};
  std::promise<void> fired;
  std::unique_ptr<troupe::timer> clock;
  on.call([&] {
    on.add(loop::stage::actors, busy);
    on.add(loop::stage::writes, writes);
    writes.left = 1;
    clock = std::make_unique<troupe::timer>(on, [&] { fired.set_value(); });
    clock->start(5ms);
  });
  fired.get_future().get();
  const size_t before = busy.runs;
  on.call([] {});
  on.call([] {});
  CHECK(busy.runs > before); // it is not put to sleep either
  on.call([&] {
    clock.reset();
    on.remove(loop::stage::actors, busy);
    on.remove(loop::stage::writes, writes);
  });
  CHECK(log == "w");
}

TEST_CASE("a timer fires once, not early, and starts anew", "[transport][timer]") {
  loop on{0};
  using clock = std::chrono::steady_clock;
  std::promise<clock::time_point> fired;
  std::unique_ptr<troupe::timer> timer;
  clock::time_point started;
  on.call([&] {
    timer = std::make_unique<troupe::timer>(on, [&] { fired.set_value(clock::now()); });
    timer->start(1h);
    started = clock::now();
    timer->start(20ms);
  });
  CHECK(fired.get_future().get() - started >= 19ms);
  on.call([&] { timer.reset(); });
}

TEST_CASE("a stopped timer does not fire", "[transport][timer]") {
  loop on{0};
  std::atomic<bool> wrong{false};
  std::promise<void> later;
  std::unique_ptr<troupe::timer> stopped, other;
  on.call([&] {
    stopped = std::make_unique<troupe::timer>(on, [&] { wrong = true; });
    other = std::make_unique<troupe::timer>(on, [&] { later.set_value(); });
    stopped->start(1ms);
    other->start(10ms);
    stopped->stop();
  });
  later.get_future().get();
  CHECK_FALSE(wrong);
  on.call([&] {
    stopped.reset();
    other.reset();
  });
}

TEST_CASE("a timer may be destroyed by what it fires", "[transport][timer]") {
  loop on{0};
  std::promise<int> fired;
  std::unique_ptr<troupe::timer> timer;
  on.call([&] {
    auto held = std::make_shared<int>(42); // used after the timer is gone
    timer = std::make_unique<troupe::timer>(on, [&, held] {
      timer.reset();
      fired.set_value(*held);
    });
    timer->start(0ms);
  });
  CHECK(fired.get_future().get() == 42);
}

TEST_CASE("near is the caller's own shard on a shard and goes round elsewhere",
          "[transport][shards]") {
  troupe::shards all{3};
  REQUIRE(all.size() == 3);
  auto* first = &all.near();
  auto* second = &all.near();
  auto* third = &all.near();
  CHECK(first != second);
  CHECK(second != third);
  CHECK(&all.near() == first);
  for (size_t i = 0; i < 3; ++i) {
    loop* near = nullptr;
    all.at(i).call([&] { near = &all.near(); });
    CHECK(near == &all.at(i));
  }
}

TEST_CASE("shards start and stop a thousand times", "[transport][shards]") {
  for (int i = 0; i < 1000; ++i) {
    troupe::shards all{2};
    std::atomic<int> ran{0};
    all.at(0).post([&] { all.at(1).post([&] { ++ran; }); });
    all.at(0).call([] {});
    all.stop();
    REQUIRE(ran == 1);
  }
}

} // namespace loop_test

// Messages between two actors of one loop, and work that comes to a loop from another thread;
// beside a call of a std::function and a wake-up through a condition variable.
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include <benchmark/benchmark.h>
#include <caf/all.hpp>

#include "transport/loop/loop.hpp"
#include "transport/loop/loop_scheduler.hpp"

namespace {

constexpr int batch = 1000; ///< per iteration, so that its start and its end do not count

/// Sends a number back, one less, until it is 0; then fulfils the promise.
caf::behavior player(caf::event_based_actor* self, std::promise<void>* done) {
  return {[=](int left, const caf::actor& other) {
    if (left > 0)
      self->send(other, left - 1, caf::actor{self});
    else
      done->set_value();
  }};
}

void actor_hop(benchmark::State& state) {
  troupe::shards one{1};
  caf::actor_system_config config;
  troupe::load_loop_scheduler(config, one);
  caf::actor_system system{config};
  std::promise<void> done;
  auto ping = system.spawn(player, &done);
  auto pong = system.spawn(player, &done);
  for (auto _ : state) {
    done = {};
    one.at(0).post([&] { caf::anon_send(ping, batch, pong); });
    done.get_future().wait();
  }
  state.SetItemsProcessed(state.iterations() * batch);
  caf::anon_send_exit(ping, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(pong, caf::exit_reason::user_shutdown);
}
BENCHMARK(actor_hop)->MeasureProcessCPUTime();

void limit_function_call(benchmark::State& state) {
  int left = 0;
  std::function<void()> call = [&left] { --left; };
  benchmark::DoNotOptimize(call);
  for (auto _ : state)
    for (left = batch; left > 0;)
      call();
  state.SetItemsProcessed(state.iterations() * batch);
}
BENCHMARK(limit_function_call);

/// Many at once: one wake-up serves a batch.
void post_many(benchmark::State& state) {
  troupe::loop home{0};
  int seen = 0;
  for (auto _ : state) {
    for (int i = 0; i < batch; ++i)
      home.post([&seen] { ++seen; });
    home.call([] {});
  }
  benchmark::DoNotOptimize(seen);
  state.SetItemsProcessed(state.iterations() * batch);
}
BENCHMARK(post_many)->MeasureProcessCPUTime();

/// One, and the answer is waited for: two wake-ups of a thread.
void post_one_and_wait(benchmark::State& state) {
  troupe::loop home{0};
  for (auto _ : state)
    home.call([] {});
}
BENCHMARK(post_one_and_wait)->MeasureProcessCPUTime();

void limit_condition_variable(benchmark::State& state) {
  std::mutex mutex;
  std::condition_variable changed;
  enum class turn { ours, theirs, over } now = turn::ours;
  std::thread other{[&] {
    std::unique_lock lock{mutex};
    for (;;) {
      changed.wait(lock, [&] { return now != turn::ours; });
      if (now == turn::over)
        return;
      now = turn::ours;
      changed.notify_one();
    }
  }};
  const auto set = [&](turn next) {
    std::lock_guard lock{mutex};
    now = next;
    changed.notify_one();
  };
  for (auto _ : state) {
    set(turn::theirs);
    std::unique_lock lock{mutex};
    changed.wait(lock, [&] { return now == turn::ours; });
  }
  set(turn::over);
  other.join();
}
BENCHMARK(limit_condition_variable)->MeasureProcessCPUTime();

} // namespace

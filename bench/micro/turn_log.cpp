// The log of a turn's events: per event, with 50 tokens in a batch (instant model) and with one
// (paced); beside a string that the same tokens are appended to.
#include <benchmark/benchmark.h>

#include "actors/session/turn_log.hpp"
#include "bench/micro/inputs.hpp"

using namespace troupe;

namespace {

void log_turn(benchmark::State& state) {
  const auto batches = micro::plain_turn(static_cast<size_t>(state.range(0)));
  int64_t events = 0;
  for (auto _ : state) {
    state.PauseTiming(); // costs time, so for many turns at once
    std::vector<std::vector<event_batch>> turns(100, batches); // append() takes events away
    state.ResumeTiming();
    for (auto& turn : turns) {
      turn_log log{"chat-1", "turn-1"};
      for (auto& each : turn)
        log.append(each.events);
      benchmark::DoNotOptimize(log.bytes());
      events += static_cast<int64_t>(log.last_seq());
    }
  }
  state.SetItemsProcessed(events);
}
BENCHMARK(log_turn)->Arg(50)->Arg(1);

void limit_append_to_string(benchmark::State& state) {
  const auto batches = micro::plain_turn(micro::tokens);
  for (auto _ : state) {
    std::string text;
    for (const auto& each : batches[1].events)
      text += std::get<text_delta>(each).text;
    benchmark::DoNotOptimize(text.data());
  }
  state.SetItemsProcessed(static_cast<int64_t>(micro::tokens) * state.iterations());
}
BENCHMARK(limit_append_to_string);

} // namespace

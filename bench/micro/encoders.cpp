// The encoders: per event of a plain turn, with 50 tokens in a batch (instant model) and with one
// (paced); beside a copy of the bytes that the UI message stream comes to.
#include <cstring>

#include <benchmark/benchmark.h>

#include "bench/micro/inputs.hpp"
#include "messages/wire/clients/completions/completions_stream.hpp"
#include "messages/wire/clients/native_stream.hpp"
#include "messages/wire/clients/ui/ui_message_stream.hpp"

using namespace troupe;

namespace {

/// Has `encode` write whole turns and counts their events.
/// @param make makes the encoder of one turn
template <class Make>
void encode_turns(benchmark::State& state, Make&& make) {
  const auto batches = micro::plain_turn(static_cast<size_t>(state.range(0)));
  int64_t events = 0, bytes = 0;
  json_buffer out;
  for (auto _ : state) {
    auto encode = make();
    for (const auto& each : batches) {
      out.clear();
      encode(each, out);
      benchmark::DoNotOptimize(out.data());
      events += static_cast<int64_t>(each.events.size());
      bytes += static_cast<int64_t>(out.size());
    }
  }
  state.SetItemsProcessed(events);
  state.SetBytesProcessed(bytes);
}

void encode_ui(benchmark::State& state) {
  encode_turns(state, [] {
    return [stream = ui_message_stream{}](const event_batch& batch, json_buffer& out) mutable {
      stream.encode(batch, out);
    };
  });
}
BENCHMARK(encode_ui)->Arg(50)->Arg(1);

void encode_native(benchmark::State& state) {
  encode_turns(state, [] {
    return [](const event_batch& batch, json_buffer& out) { append_native_sse(out, batch); };
  });
}
BENCHMARK(encode_native)->Arg(50)->Arg(1);

void encode_completions(benchmark::State& state) {
  encode_turns(state, [] {
    return [stream = completions_stream{{"chatcmpl-1", "text", 1735689600}, true}](
               const event_batch& batch, json_buffer& out) mutable { stream.encode(batch, out); };
  });
}
BENCHMARK(encode_completions)->Arg(50)->Arg(1);

void limit_copy_of_ui(benchmark::State& state) {
  json_buffer turn;
  ui_message_stream stream;
  for (const auto& each : micro::plain_turn(micro::tokens))
    stream.encode(each, turn);
  std::string to(turn.size(), ' ');
  for (auto _ : state) {
    std::memcpy(to.data(), turn.data(), turn.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<int64_t>(micro::tokens + 4) * state.iterations());
  state.SetBytesProcessed(static_cast<int64_t>(turn.size()) * state.iterations());
}
BENCHMARK(limit_copy_of_ui);

} // namespace

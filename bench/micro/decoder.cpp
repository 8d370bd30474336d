// The decoder of OpenAI's chunks: per chunk, in reads of one chunk (paced), of a loop's read and of
// the whole reply; beside simdjson's on-demand walk to the text of the same chunks.
#include <algorithm>

#include <benchmark/benchmark.h>
#include <simdjson.h>

#include "bench/micro/inputs.hpp"
#include "messages/wire/providers.hpp"

using namespace troupe;

namespace {

void decode_reply(benchmark::State& state) {
  const auto* openai = find_provider("openai");
  const auto reply = micro::model_reply();
  const auto piece = std::min(static_cast<size_t>(state.range(0)), reply.size());
  std::vector<event> events;
  for (auto _ : state) {
    const auto decoder = openai->make_decoder({}, "call");
    decoder->head(200, "text/event-stream", "");
    for (size_t at = 0; at < reply.size(); at += piece) {
      events.clear();
      decoder->feed(std::string_view{reply}.substr(at, piece), events);
      benchmark::DoNotOptimize(events.data());
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(micro::tokens) * state.iterations());
}
BENCHMARK(decode_reply)->Arg(230)->Arg(8192)->Arg(1 << 20);

/// Chunks as a provider sends them that pads each with a random string: no two have one shape.
void decode_odd_chunks(benchmark::State& state) {
  const auto* openai = find_provider("openai");
  std::string reply;
  for (size_t i = 0; i < micro::tokens; ++i)
    reply += "data: " + micro::chunk(fmt::format(R"("k{}":0,"content":"{}")", i, micro::token(i))) +
             "\n\n";
  std::vector<event> events;
  for (auto _ : state) {
    const auto decoder = openai->make_decoder({}, "call");
    decoder->head(200, "text/event-stream", "");
    events.clear();
    decoder->feed(reply, events);
    benchmark::DoNotOptimize(events.data());
  }
  state.SetItemsProcessed(static_cast<int64_t>(micro::tokens) * state.iterations());
}
BENCHMARK(decode_odd_chunks);

void peer_simdjson_chunks(benchmark::State& state) {
  std::vector<simdjson::padded_string> chunks;
  for (size_t i = 0; i < micro::tokens; ++i)
    chunks.emplace_back(micro::token_chunk(i));
  simdjson::ondemand::parser parser;
  for (auto _ : state)
    for (const auto& each : chunks) {
      auto document = parser.iterate(each);
      for (auto choice : document["choices"].get_array())
        benchmark::DoNotOptimize(choice["delta"]["content"].get_string().value());
    }
  state.SetItemsProcessed(static_cast<int64_t>(micro::tokens) * state.iterations());
}
BENCHMARK(peer_simdjson_chunks);

} // namespace

// Server-sent events: bytes per second in reads of 1 and 16 KiB, beside a copy of the same bytes
// and a search for the ends of their lines.
#include <cstring>

#include <benchmark/benchmark.h>

#include "bench/micro/inputs.hpp"
#include "messages/wire/sse.hpp"

using namespace troupe;

namespace {

std::string stream() {
  std::string out;
  while (out.size() < 256 * 1024)
    out += micro::model_reply();
  return out;
}

/// Shows `use` the stream in pieces of the size that the benchmark asks for.
template <class Use>
void in_pieces(benchmark::State& state, Use&& use) {
  const auto bytes = stream();
  const auto piece = static_cast<size_t>(state.range(0));
  for (auto _ : state)
    for (size_t at = 0; at < bytes.size(); at += piece)
      use(std::string_view{bytes}.substr(at, piece));
  state.SetBytesProcessed(static_cast<int64_t>(bytes.size()) * state.iterations());
}

void sse_parse(benchmark::State& state) {
  sse_parser parser;
  size_t seen = 0;
  const sse_parser::visitor visit = [&seen](const sse_event& each) {
    seen += each.data.size();
    return true;
  };
  in_pieces(state, [&](std::string_view piece) { parser.feed(piece, visit); });
  benchmark::DoNotOptimize(seen);
}
BENCHMARK(sse_parse)->Arg(1024)->Arg(16384);

void limit_find_line_ends(benchmark::State& state) {
  size_t seen = 0;
  in_pieces(state, [&](std::string_view piece) {
    for (auto at = piece.find('\n'); at != piece.npos; at = piece.find('\n', at + 1))
      ++seen;
  });
  benchmark::DoNotOptimize(seen);
}
BENCHMARK(limit_find_line_ends)->Arg(1024)->Arg(16384);

void limit_copy(benchmark::State& state) {
  std::string to(16384, ' ');
  in_pieces(state, [&](std::string_view piece) {
    std::memcpy(to.data(), piece.data(), piece.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  });
}
BENCHMARK(limit_copy)->Arg(1024)->Arg(16384);

} // namespace

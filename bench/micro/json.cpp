// JSON: the escaper by kind of text, the writer, the check of what comes from outside; beside a
// copy of the same bytes and simdjson's on-demand walk over all of them.
#include <cstring>

#include <benchmark/benchmark.h>
#include <simdjson.h>

#include "bench/micro/inputs.hpp"
#include "messages/json.hpp"
#include "messages/wire/json/json_check.hpp"

using namespace troupe;

namespace {

constexpr size_t text_bytes = 16 * 1024;

std::string repeated(std::string_view piece) {
  std::string out;
  while (out.size() < text_bytes)
    out += piece;
  return out;
}

void escape(benchmark::State& state, const std::string& text) {
  json_buffer out;
  for (auto _ : state) {
    out.clear();
    append_escaped(out, text);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
}
BENCHMARK_CAPTURE(escape, plain, repeated("Every chat is an actor, and a small one. "));
BENCHMARK_CAPTURE(escape, code, repeated("if (x == \"a\\b\")\n\treturn {1, 'c'};\n"));
BENCHMARK_CAPTURE(escape, not_ascii, repeated("Gr\xC3\xBC\xC3\x9F Gott \xE2\x82\xAC "));
BENCHMARK_CAPTURE(escape, one_token, " actor");

void write_event(benchmark::State& state) {
  const session_end end{finish_reason::stop, {120, 50, 170, 0, 0}, 2};
  json_buffer out;
  for (auto _ : state) {
    out.clear();
    append_json(out, end);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<int64_t>(out.size()) * state.iterations());
}
BENCHMARK(write_event);

/// A request body as a client sends it, with a history.
std::string body() {
  std::string messages;
  for (size_t i = 0; messages.size() < text_bytes; ++i)
    messages += fmt::format(R"({}{{"id":"m{}","role":"user","parts":[{{"type":"text",)"
                            R"("text":"Say something about actors, please: number {}."}}]}})",
                            i > 0 ? "," : "", i, i);
  return R"({"id":"chat-1","model":"text","messages":[)" + messages + "]}";
}

void check(benchmark::State& state) {
  const auto text = body();
  for (auto _ : state)
    benchmark::DoNotOptimize(json_fault(text));
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
}
BENCHMARK(check);

/// Reads every key and every string of a value.
void walk(simdjson::ondemand::value value) {
  using simdjson::ondemand::json_type;
  switch (value.type()) {
  case json_type::object:
    for (auto member : value.get_object()) {
      benchmark::DoNotOptimize(member.key().value());
      walk(member.value());
    }
    return;
  case json_type::array:
    for (auto element : value.get_array())
      walk(element.value());
    return;
  case json_type::string:
    benchmark::DoNotOptimize(value.get_string().value());
    return;
  default:
    benchmark::DoNotOptimize(value.raw_json_token());
  }
}

void peer_simdjson_walk(benchmark::State& state) {
  const simdjson::padded_string text{body()};
  simdjson::ondemand::parser parser;
  for (auto _ : state) {
    auto document = parser.iterate(text);
    walk(document.get_value().value());
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
}
BENCHMARK(peer_simdjson_walk);

void limit_copy_of_text(benchmark::State& state) {
  const auto text = body();
  std::string to(text.size(), ' ');
  for (auto _ : state) {
    std::memcpy(to.data(), text.data(), text.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * state.iterations());
}
BENCHMARK(limit_copy_of_text);

} // namespace

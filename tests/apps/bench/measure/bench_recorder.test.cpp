#include <string>
#include <vector>

#include "apps/bench/measure/recorder.hpp"
#include "tests/support/catch.hpp"

namespace bench_recorder_test {

using namespace troupe;
using namespace troupe::bench;
using namespace std::chrono_literals;

namespace {

/// A run whose warm-up takes a second; times are said as milliseconds after its begin.
struct fixture {
  static bench_plan a_plan() {
    bench_plan out;
    out.bounds.warm_up = 1s;
    out.bounds.length = 9s;
    out.good_first_text = 50ms;
    out.stall = 1s;
    return out;
  }

  static time_point ms(int64_t after) { return begin + std::chrono::milliseconds{after}; }
  static turn_observation sign(bench::observed what, int64_t at, uint32_t count = 1) {
    return {.what = what, .count = count, .at = ms(at), .text = {}};
  }

  turn_record start(int64_t intended, int64_t at) {
    turn_record out;
    figures.started(out, ms(intended), ms(at));
    return out;
  }
  void see(turn_record& turn, const std::vector<turn_observation>& observations) {
    for (const auto& each : observations)
      figures.seen(turn, each);
  }
  void end(turn_record& turn, int64_t at) { figures.ended(turn, sign(observed::end, at)); }

  std::vector<int64_t> values(metric which) const {
    std::vector<int64_t> out;
    const auto& times = figures.totals()[which];
    for (uint64_t i = 1; i <= times.count(); ++i) {
      const auto rank = (static_cast<double>(i) - 0.5) / static_cast<double>(times.count());
      out.push_back((times.quantile_ns(rank) + 500'000) / 1'000'000);
    }
    return out;
  }

  static inline const time_point begin{100h};
  bench_plan plan = a_plan();
  recorder figures{plan, begin};
};

using ints = std::vector<int64_t>;

} // namespace

TEST_CASE_METHOD(fixture, "times count from the intended start", "[apps][bench]") {
  auto turn = start(2000, 2030);
  see(turn, {sign(observed::event, 2040), sign(observed::text, 2100)});
  end(turn, 2200);
  CHECK(values(metric::schedule_delay) == ints{30});
  CHECK(values(metric::first_event) == ints{40});
  CHECK(values(metric::first_text) == ints{100});
  CHECK(values(metric::turn) == ints{200});
  CHECK(values(metric::between_tokens).empty());
}

TEST_CASE_METHOD(fixture, "pieces that come with one read have one gap", "[apps][bench]") {
  auto turn = start(2000, 2000);
  see(turn,
      {sign(observed::text, 2010, 3), sign(observed::text, 2110, 5), sign(observed::text, 2140)});
  end(turn, 2140);
  CHECK(values(metric::first_event) == ints{10});
  CHECK(values(metric::between_tokens) == ints{30, 100});
  CHECK(figures.totals().tokens == 9);
}

TEST_CASE_METHOD(fixture, "a tool round is no gap between tokens", "[apps][bench]") {
  auto turn = start(2000, 2000);
  see(turn,
      {sign(observed::text, 2010), sign(observed::text, 2020), sign(observed::tool_start, 2030),
       sign(observed::tool_end, 4000), sign(observed::model_request, 4010),
       sign(observed::text, 5500), sign(observed::text, 5530)});
  end(turn, 5600);
  CHECK(values(metric::between_tokens) == ints{10, 30});
  CHECK(values(metric::first_text) == ints{10});
  CHECK(figures.totals().stalls == 0);
}

TEST_CASE_METHOD(fixture, "a call without a stream has no first event", "[apps][bench]") {
  auto turn = start(2000, 2000);
  see(turn, {sign(observed::tool_start, 2010), sign(observed::tool_end, 2020)});
  end(turn, 2020);
  CHECK(values(metric::first_event).empty());
  CHECK(values(metric::turn) == ints{20});
}

TEST_CASE_METHOD(fixture, "a tool round is taken apart", "[apps][bench]") {
  auto turn = start(2000, 2000);
  see(turn, {sign(observed::model_request, 2001), sign(observed::arguments_end, 2100),
             sign(observed::arguments_end, 2110), sign(observed::tool_start, 2120),
             sign(observed::tool_start, 2140), sign(observed::tool_end, 2220),
             sign(observed::tool_end, 2340), sign(observed::model_request, 2350),
             sign(observed::text, 2360)});
  end(turn, 2400);
  CHECK(values(metric::arguments_to_tool) == ints{20, 30});
  CHECK(values(metric::tool) == ints{100, 200});
  CHECK(values(metric::tool_to_model) == ints{10});
}

TEST_CASE_METHOD(fixture, "a target that shows only part of a tool round gives no made-up times",
                 "[apps][bench]") {
  auto turn = start(2000, 2000);
  see(turn, {sign(observed::arguments_end, 2100), sign(observed::tool_end, 2200),
             sign(observed::model_request, 2210)});
  end(turn, 2300);
  CHECK(values(metric::tool).empty());
  CHECK(values(metric::arguments_to_tool).empty());
  CHECK(values(metric::tool_to_model) == ints{10});
}

TEST_CASE_METHOD(fixture, "turns that fail, are cancelled or cut off never enter the times",
                 "[apps][bench]") {
  auto failed = start(2000, 2000);
  auto cancelled = start(2000, 2000);
  auto cut = start(2000, 2000);
  for (auto* each : {&failed, &cancelled, &cut})
    see(*each, {sign(observed::text, 2100), sign(observed::text, 2200)});
  figures.failed(failed, "model_failed", ms(2300));
  figures.cancelled(cancelled, 7ms, ms(2300));
  figures.cut_off(cut, ms(2300));
  for (auto which : all_metrics)
    if (which != metric::schedule_delay && which != metric::cancel)
      CHECK(values(which).empty());
  CHECK(values(metric::cancel) == ints{7});
  const auto& totals = figures.totals();
  CHECK(totals.started == 3);
  CHECK(totals.ended == 0);
  CHECK(totals.failures.at("model_failed") == 1);
  CHECK(totals.cancelled == 1);
  CHECK(totals.cut_off == 1);
  CHECK(figures.counts().running == 0);
  CHECK(figures.counts().failed == 2);
}

TEST_CASE_METHOD(fixture, "what the first failure of a code said is kept, at most 200 bytes of it",
                 "[apps][bench]") {
  const std::string first = std::string(199, 'x') + "\xC3\xA4 and so on";
  for (const auto& said : {std::string{}, first, std::string{"another"}}) {
    auto turn = start(2000, 2000);
    figures.failed(turn, "model_failed", ms(2300), said);
  }
  auto silent = start(2000, 2000);
  figures.failed(silent, "timeout", ms(2300));
  run_result both;
  add_totals(both, figures.totals());
  add_totals(both, figures.totals());
  CHECK(both.failures.at("model_failed") == 6);
  CHECK(both.failure_texts ==
        std::map<std::string, std::string>{{"model_failed", std::string(199, 'x')}});
}

TEST_CASE_METHOD(fixture, "a cancel whose end is not known has no time", "[apps][bench]") {
  auto turn = start(2000, 2000);
  figures.cancelled(turn, -1ns, ms(2100));
  CHECK(values(metric::cancel).empty());
  CHECK(figures.totals().cancelled == 1);
}

TEST_CASE_METHOD(fixture, "the warm-up's turns are run and left out, apart from the throughput",
                 "[apps][bench]") {
  auto turn = start(900, 1100); // late, but meant to begin within the warm-up
  see(turn, {sign(observed::text, 1200)});
  end(turn, 1300);
  const auto& totals = figures.totals();
  CHECK(totals.started == 0);
  CHECK(totals.ended == 0);
  CHECK(values(metric::schedule_delay).empty());
  CHECK(values(metric::turn).empty());
  CHECK(totals.ended_within == 1); // it ended within the measured time
  CHECK(figures.counts().ended == 1);
}

TEST_CASE_METHOD(fixture, "what ends after the measured time is no throughput", "[apps][bench]") {
  figures.close_window(ms(10'000));
  auto turn = start(9900, 9900);
  see(turn, {sign(observed::text, 9950), sign(observed::text, 10'050)});
  end(turn, 10'100);
  CHECK(figures.totals().ended == 1);
  CHECK(figures.totals().ended_within == 0);
  CHECK(figures.totals().tokens == 1);
}

TEST_CASE_METHOD(fixture, "a turn is good with its first text in time and without a stall",
                 "[apps][bench]") {
  auto good = start(2000, 2000);
  see(good, {sign(observed::text, 2050), sign(observed::text, 3050)});
  end(good, 3100);
  auto late = start(2000, 2000);
  see(late, {sign(observed::text, 2051)});
  end(late, 2060);
  auto stalled = start(2000, 2000);
  see(stalled, {sign(observed::text, 2010), sign(observed::text, 3011)});
  end(stalled, 3100);
  auto silent = start(2000, 2000); // without text its end counts
  end(silent, 2050);
  CHECK(figures.totals().ended == 4);
  CHECK(figures.totals().good == 2);
  CHECK(figures.totals().good_within == 2);
  CHECK(figures.totals().stalls == 1);
}

TEST_CASE_METHOD(fixture, "a slow reader's turn counts, its times do not", "[apps][bench]") {
  auto turn = start(2000, 2000);
  turn.slow = true;
  see(turn,
      {sign(observed::text, 2060), sign(observed::text, 4010)}); // good ones come within 50 ms
  end(turn, 4100);
  CHECK(figures.totals().ended == 1);
  CHECK(figures.totals().good == 1);
  CHECK(figures.totals().good_within == 1);
  CHECK(figures.totals().stalls == 0);
  CHECK(values(metric::first_text).empty());
  CHECK(values(metric::between_tokens).empty());
  CHECK(values(metric::turn).empty());
}

TEST_CASE_METHOD(fixture, "seconds have no holes and are taken once", "[apps][bench]") {
  auto first = start(1500, 1500);
  auto second = start(4200, 4200);
  see(first, {sign(observed::text, 4300, 2)});
  end(first, 4400);
  const auto taken = figures.take_seconds(3);
  REQUIRE(taken.size() == 3);
  CHECK(taken[0].row.started == 1);
  CHECK(taken[0].row.running == 1);
  CHECK(taken[1].row.started == 0);
  CHECK(taken[1].row.running == 1);
  CHECK(taken[2].number == 2);
  figures.failed(second, "timeout", ms(2000)); // too late for its second
  const auto last = figures.take_seconds(4);
  REQUIRE(last.size() == 1);
  CHECK(last[0].row.started == 1);
  CHECK(last[0].row.ended == 1);
  CHECK(last[0].row.failed == 1);
  CHECK(last[0].row.tokens == 2);
  CHECK(last[0].row.running == 0);
  CHECK(last[0].first_text.count() == 1);
  CHECK(figures.totals().most_running == 2);
}

TEST_CASE_METHOD(fixture, "bytes are those read within the measured time", "[apps][bench]") {
  auto turn = start(500, 500);
  auto early = sign(observed::event, 600);
  early.bytes = 100;
  auto later = sign(observed::text, 1500);
  later.bytes = 350;
  see(turn, {early, later});
  end(turn, 1600);
  CHECK(figures.totals().bytes == 250);
}

TEST_CASE_METHOD(fixture, "the model's count is of turns that ended within the measured time",
                 "[apps][bench]") {
  const auto ends = [&](int64_t at, usage used) {
    auto turn = start(at - 10, at - 10);
    auto last = sign(observed::end, at);
    last.used = used;
    figures.ended(turn, last);
  };
  ends(500, {1, 1, 2, 0, 0}); // the warm-up
  ends(1500, {3, 50, 53, 0, 0});
  ends(2000, {});
  ends(2500, {0, 7, 7, 0, 0});
  figures.close_window(ms(3000));
  ends(3500, {1, 1, 2, 0, 0});
  const auto& totals = figures.totals();
  CHECK(totals.ended_within == 3);
  CHECK(totals.counted_within == 2);
  CHECK(totals.used_within.input_tokens == 3);
  CHECK(totals.used_within.output_tokens == 57);
  run_result sum;
  add_totals(sum, totals);
  add_totals(sum, totals);
  CHECK(sum.counted_within == 4);
  CHECK(sum.used_within.input_tokens == 6);
  CHECK(sum.used_within.output_tokens == 114);
}

TEST_CASE_METHOD(fixture, "the totals of lanes add up", "[apps][bench]") {
  auto turn = start(2000, 2000);
  see(turn, {sign(observed::text, 2010)});
  end(turn, 2100);
  auto failed = start(2000, 2000);
  figures.failed(failed, "timeout", ms(2200));
  run_result both;
  add_totals(both, figures.totals());
  add_totals(both, figures.totals());
  CHECK(both.started == 4);
  CHECK(both.ended == 2);
  CHECK(both.failed() == 2);
  CHECK(both[metric::turn].count() == 2);
}

} // namespace bench_recorder_test

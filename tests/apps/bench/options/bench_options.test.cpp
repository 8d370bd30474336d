// The command line of troupe-bench: what it makes a plan of, and what it says of what is wrong.
#include "apps/bench/options/plan_options.hpp"

#include <fstream>

#include <catch2/catch.hpp>

#include "apps/bench/plan/duration_text.hpp"
#include "apps/bench/plan/plan_text.hpp"

using namespace std::chrono_literals;

namespace troupe::bench::bench_options_test {

namespace {

using words = std::vector<std::string>;

/// Returns what is said of a command line; "" of a good one, whose plan is then in `out`.
std::string read(words line, bench_plan& out) {
  CLI::App app;
  plan_options options;
  options.add_to(app);
  std::reverse(line.begin(), line.end()); // as CLI11 wants it
  try {
    app.parse(line);
  } catch (const CLI::ParseError& what) {
    return what.what();
  }
  return options.make(out) ? options.make(out).text() : "";
}

bench_plan plan_of(words line) {
  bench_plan out;
  CHECK(read(std::move(line), out) == "");
  return out;
}

std::string fault_of(words line) {
  bench_plan out;
  return read(std::move(line), out);
}

} // namespace

TEST_CASE("durations are read with their units", "[apps][bench]") {
  struct row {
    const char* text;
    nanoseconds length;
  };
  for (const auto& each :
       {row{"250ms", 250ms}, row{"0.5ms", 500us}, row{"5s", 5s}, row{"1m", 60s}, row{"2h", 7200s},
        row{"10us", 10us}, row{"3ns", 3ns}, row{"0", 0ns}, row{"1 s", 1s}}) {
    CAPTURE(each.text);
    nanoseconds out{-1};
    CHECK_FALSE(parse_duration(each.text, out));
    CHECK(out == each.length);
  }
}

TEST_CASE("a duration that is none is refused with the reason", "[apps][bench]") {
  struct row {
    const char* text;
    const char* why;
  };
  for (const auto& each :
       {row{"", "does not begin with a number"}, row{"fast", "does not begin with a number"},
        row{"5", "has no unit"}, row{"5 days", "unknown unit \"days\""},
        row{"-1s", "not between 0 and a year"}, row{"nans", "not between"},
        row{"9999h", "not between"}}) {
    CAPTURE(each.text);
    nanoseconds out{7};
    auto bad = parse_duration(each.text, out);
    CHECK(bad.code == errc::request_invalid);
    CHECK_THAT(bad.message, Catch::Contains(each.why));
    CHECK(out == 7ns);
  }
}

TEST_CASE("durations are written with three digits and the unit that fits", "[apps][bench]") {
  CHECK(duration_text(0) == "0");
  CHECK(duration_text(870) == "870 ns");
  CHECK(duration_text(12'345) == "12.3 us");
  CHECK(duration_text(1'050'000) == "1.05 ms");
  CHECK(duration_text(999'900'000) == "1.00 s");
  CHECK(duration_text(120e9) == "2.00 min");
}

TEST_CASE("a URL alone is a plan with the defaults", "[apps][bench]") {
  auto plan = plan_of({"http://127.0.0.1:8080"});
  CHECK(plan.target.kind == target_kind::troupe);
  CHECK(plan.target.url == "http://127.0.0.1:8080");
  CHECK(plan.arrivals.kind == arrival_kind::constant);
  CHECK(plan.arrivals.rate == 10);
  CHECK(plan.bounds.length == 10s);
  CHECK(plan.bounds.turns == 0);
  CHECK(plan.seed == 1);
  CHECK(plan.repeats == 1);
}

TEST_CASE("each kind of arrivals has its option", "[apps][bench]") {
  auto constant = plan_of({"http://x", "--rate", "0.5"}).arrivals;
  CHECK((constant.kind == arrival_kind::constant && constant.rate == 0.5));
  auto random = plan_of({"http://x", "--poisson", "200"}).arrivals;
  CHECK((random.kind == arrival_kind::poisson && random.rate == 200));
  auto ramp = plan_of({"http://x", "--ramp", "1:50"}).arrivals;
  CHECK((ramp.kind == arrival_kind::ramp && ramp.rate == 1 && ramp.end_rate == 50));
  auto from_nothing = plan_of({"http://x", "--ramp", "0:100"}).arrivals;
  CHECK((from_nothing.rate == 0 && from_nothing.end_rate == 100));
  auto closed = plan_of({"http://x", "--concurrency", "64"}).arrivals;
  CHECK((closed.kind == arrival_kind::concurrency && closed.concurrency == 64));
}

TEST_CASE("what sessions do is read", "[apps][bench]") {
  auto work = plan_of({"http://x", "--session-turns", "3", "--think", "1.5s", "--think-evenly",
                       "--text", "one", "--text", "two", "--history", "8", "--cancel",
                       "0.1:0.1s-1s", "--slow", "0.05:50ms"})
                  .work;
  CHECK(work.turns == 3);
  CHECK(work.think == 1500ms);
  CHECK_FALSE(work.think_varies);
  CHECK(work.texts == words{"one", "two"});
  CHECK(work.history == 8);
  CHECK(work.cancel_share == 0.1);
  CHECK(work.cancel_from == 100ms);
  CHECK(work.cancel_to == 1s);
  CHECK(work.slow_share == 0.05);
  CHECK(work.slow_pause == 50ms);
}

TEST_CASE("a moment of cancelling is enough", "[apps][bench]") {
  auto work = plan_of({"http://x", "--cancel", "1:20ms"}).work;
  CHECK((work.cancel_from == 20ms && work.cancel_to == 20ms));
}

TEST_CASE("turns bound a run alone unless a duration is given", "[apps][bench]") {
  CHECK(plan_of({"http://x", "--turns", "100"}).bounds.length == 0ns);
  auto both = plan_of({"http://x", "--turns", "100", "--duration", "2s", "--warm-up", "1s"}).bounds;
  CHECK((both.turns == 100 && both.length == 2s && both.warm_up == 1s));
}

TEST_CASE("a sweep varies the rate or the concurrency", "[apps][bench]") {
  auto plan = plan_of({"http://x", "--sweep", "10:5000", "--sweep-factor", "2", "--sweep-step",
                       "3s", "--sweep-precision", "0.05", "--concurrency", "1"});
  CHECK(plan.sweep.on);
  CHECK((plan.sweep.from == 10 && plan.sweep.to == 5000 && plan.sweep.factor == 2));
  CHECK((plan.sweep.step == 3s && plan.sweep.precision == 0.05));
  CHECK(plan.arrivals.kind == arrival_kind::concurrency);
}

TEST_CASE("steps of a load or of the history are given by their numbers", "[apps][bench]") {
  auto loads = plan_of({"http://x", "--concurrency", "1", "--steps", "100,10,5000"}).sweep;
  CHECK((loads.on && !loads.of_history && loads.steps == std::vector<double>{10, 100, 5000}));
  auto history = plan_of({"http://x", "--history", "0,99"}).sweep;
  CHECK((history.on && history.of_history && history.steps == std::vector<double>{0, 99}));
  auto single = plan_of({"http://x", "--history", "12"});
  CHECK((!single.sweep.on && single.work.history == 12));
}

TEST_CASE("header fields and objectives may be repeated", "[apps][bench]") {
  auto plan = plan_of({"http://x", "--header", "Authorization: Bearer a", "--header=X-Y:z", "--slo",
                       "first_text:p99<0.5ms", "--slo", "good>0.99"});
  REQUIRE(plan.target.fields.size() == 2);
  CHECK(plan.target.fields[0].value == "Bearer a");
  CHECK((plan.target.fields[1].name == "X-Y" && plan.target.fields[1].value == "z"));
  REQUIRE(plan.objectives.size() == 2);
  CHECK(plan.objectives[0].figure == "first_text");
  CHECK_FALSE(plan.objectives[1].at_most);
}

TEST_CASE("an MCP server given by command or URL becomes a configuration", "[apps][bench]") {
  auto spawned = plan_of({"--target", "mcp", "--mcp-command", "node \"a b\".js", "--tool", "echo"});
  CHECK(spawned.target.config ==
        R"({"mcpServers":{"server":{"command":"/bin/sh","args":["-c","node \"a b\".js"]}}})");
  CHECK(spawned.target.server == "server");
  auto reached = plan_of({"--target", "mcp", "http://127.0.0.1:1/mcp", "--tool", "echo", "--header",
                          "A: b", "--arguments", R"({"a":1})"});
  CHECK(reached.target.config ==
        R"({"mcpServers":{"server":{"url":"http://127.0.0.1:1/mcp","headers":{"A":"b"}}}})");
  CHECK(reached.target.arguments == R"({"a":1})");
  auto named = plan_of({"--target", "mcp", "--config", "t.json", "--server", "s", "--tool", "x"});
  CHECK((named.target.config == "t.json" && named.target.server == "s"));
}

TEST_CASE("what is malformed on the command line is said with its option", "[apps][bench]") {
  struct row {
    words line;
    const char* why;
  };
  const std::vector<row> rows{
      {{}, "say where the target is"},
      {{"http://x", "--dance"}, "--dance"},
      {{"http://x", "--target", "soap"}, "--target: \"soap\" is none of troupe, native"},
      {{"http://x", "--rate", "0"}, "--rate: \"0\" is not a number above 0"},
      {{"http://x", "--rate", "fast"}, "\"fast\" is not a number above 0"},
      {{"http://x", "--rate", "1", "--poisson", "1"}, "excludes"},
      {{"http://x", "--ramp", "5"}, "--ramp: \"5\" is not A:B"},
      {{"http://x", "--ramp", "5:-1"}, "\"-1\" is not a number above 0"},
      {{"http://x", "--ramp", "0:0"}, "\"0\" is not a number above 0"},
      {{"http://x", "--ramp", "-1:5"}, "\"-1\" is not a number above 0"},
      {{"http://x", "--sweep", "0:5"}, "\"0\" is not a number above 0"},
      {{"http://x", "--concurrency", "0"}, "--concurrency"},
      {{"http://x", "--duration", "5"}, "--duration: \"5\" has no unit"},
      {{"http://x", "--duration", "0s"}, "--duration must be above 0"},
      {{"http://x", "--cancel", "2"}, "\"2\" is not a share from 0 to 1"},
      {{"http://x", "--cancel", "0.1:1s-0.5s"}, "its second time is before its first"},
      {{"http://x", "--slow", "half"}, "\"half\" is not a share"},
      {{"http://x", "--sweep", "10:5"}, "its end is not above its begin"},
      {{"http://x", "--sweep", "1:9", "--ramp", "1:2"}, "leave out --ramp"},
      {{"http://x", "--sweep", "1:9", "--repeats", "3"}, "leave out --repeats"},
      {{"http://x", "--sweep", "1:9", "--duration", "3s"}, "leave out --duration and --turns"},
      {{"http://x", "--steps", "1,9", "--turns", "3"}, "leave out --duration and --turns"},
      {{"http://x", "--pid", "4194305"}, "there is no process 4194305"},
      {{"--target", "engine", "--slow", "0.1"}, "--slow needs a target"},
      {{"--target", "mcp", "--tool", "t", "--mcp-url", "u", "--slow", "1"}, "--slow needs"},
      {{"http://x", "--lanes", "0"}, "--lanes"},
      {{"http://x", "--header", "nothing"}, "--header: it is not 'Name: value'"},
      {{"http://x", "--texts", "/no/such/file"}, "there is no line in /no/such/file"},
      {{"http://x", "--slo", "first_text"}, "--slo"},
      {{"http://x", "--tool", "echo"}, "go with --target mcp"},
      {{"--target", "mcp"}, "needs --tool NAME"},
      {{"--target", "mcp", "--tool", "t"}, "needs a server"},
      {{"--target", "mcp", "--tool", "t", "--config", "c", "--mcp-command", "x"}, "leave out"},
      {{"--target", "mcp", "--tool", "t", "--mcp-url", "u", "--mcp-command", "x"}, "excludes"},
      {{"http://x", "--target", "engine"}, "leave out the URL"},
      {{"--target", "openai"}, "say where the target is"},
  };
  for (const auto& each : rows) {
    CAPTURE(each.line);
    CHECK_THAT(fault_of(each.line), Catch::Contains(each.why));
  }
}

TEST_CASE("a plan in words keeps what is secret to itself", "[apps][bench]") {
  auto plan =
      plan_of({"http://user:secret@host:1/v1?q=a@b", "--target", "openai", "--model", "m",
               "--header", "Authorization: Bearer secret", "--poisson", "2.5", "--history", "1"});
  CHECK(target_text(plan.target) == "openai http://host:1/v1?q=a@b, model m");
  CHECK(shown_url("user:secret@host:1/v1") == "host:1/v1");
  CHECK(shown_url("--mcp-url=user:secret@host:1") == "--mcp-url=host:1");
  CHECK(shown_url("npx -y @scope/server@1.2") == "npx -y @scope/server@1.2");
  CHECK(arrivals_text(plan.arrivals) == "2.5 sessions/s, Poisson");
  CHECK(work_text(plan) == "10.0 s, 1 turn per session, 1 message of history, 1 lane, seed 1");
}

} // namespace troupe::bench::bench_options_test

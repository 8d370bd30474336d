// The plan of one run of troupe-bench, as plain data: read from the command line, written into
// every report, so that a report says how to repeat it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "messages/http.hpp"

namespace troupe::bench {

using std::chrono::nanoseconds;

/// The kinds of targets.
enum class target_kind : uint8_t {
  troupe, ///< POST /api/chat of a Troupe server, read as a UI message stream
  native, ///< POST /v1/sessions/{id}/turns of a Troupe server, read as native events
  openai, ///< any chat completions endpoint, streamed
  ai_sdk, ///< any endpoint that answers UI messages with a UI message stream
  mcp,    ///< a tool of an MCP server, over stdio or HTTP
  engine, ///< an engine in this process
};

/// The target of the load.
struct target_spec {
  target_kind kind = target_kind::troupe;
  std::string url;        ///< of HTTP targets: the whole URL, or the part before the known path
  std::string model;      ///< asked for by name; empty: the target's own
  std::string parameters; ///< of the model, JSON text of an object; empty: none
  headers fields;         ///< go with every request
  bool keeps = false;     ///< troupe, native: its chats stay in the target's store
  std::string config;     ///< mcp, engine: path of a troupe.json; empty: the scripted model
  std::string server;     ///< mcp: name in the configuration
  std::string tool;       ///< mcp
  std::string arguments = "{}"; ///< mcp: JSON text of an object
};

/// How the starts of sessions are spread.
enum class arrival_kind : uint8_t {
  constant,    ///< one start every 1/rate seconds
  poisson,     ///< exponential gaps of that mean
  ramp,        ///< a rate that goes in a line from `rate` to `end_rate` over the whole run
  concurrency, ///< closed: so many at once, the next begins when one ends
};

/// When sessions begin. Rates are sessions per second.
struct arrival_spec {
  arrival_kind kind = arrival_kind::constant;
  double rate = 10;
  double end_rate = 10;
  uint32_t concurrency = 1;
};

/// The behaviour of a session. Shares are from 0 to 1.
struct scenario {
  uint32_t turns = 1;             ///< one after the other in the same chat
  nanoseconds think{0};           ///< mean time from a turn's end to the next one's start
  bool think_varies = true;       ///< exponential; else always the mean
  std::vector<std::string> texts; ///< of the user's messages, in turn; empty: a short one
  uint32_t history = 0;           ///< messages of a made-up history that the first turn brings
  double cancel_share = 0;        ///< of the turns that are cancelled
  nanoseconds cancel_from{0};     ///< after the start, evenly up to cancel_to
  nanoseconds cancel_to{0};
  double slow_share = 0;                                  ///< of the turns whose reader is slow
  nanoseconds slow_pause{std::chrono::milliseconds{200}}; ///< of a slow reader after each read
};

/// The bounds of a run, which ends at the first one that it reaches; 0: no bound.
struct run_bounds {
  nanoseconds warm_up{0};                       ///< at the begin; left out of every figure
  nanoseconds length{std::chrono::seconds{10}}; ///< after the warm-up
  uint64_t turns = 0;                           ///< after the warm-up
  nanoseconds drain{std::chrono::seconds{30}};  ///< for turns under way; then they are cut off
  nanoseconds turn{std::chrono::seconds{120}};  ///< longest turn; then it counts as timed out
};

/// A limit that a quantile has to keep, as "first_text:p99<0.5ms", or a share, as "good>0.99".
struct objective {
  std::string text;    ///< as given
  std::string figure;  ///< to_string(metric), "good", "failed" or "turns_per_second"
  double quantile = 0; ///< 0 to 1; of figures that are metrics
  bool at_most = true; ///< else at least
  double limit = 0;    ///< nanoseconds for metrics, else as is
};

/// A series of runs with a growing load, to where the target stops keeping up.
struct sweep_spec {
  bool on = false;
  double from = 1, to = 10'000; ///< sessions per second, or concurrency
  double factor = 1.5;          ///< between steps; the knee is then searched between two
  double precision = 0.02;      ///< of the knee, relative
  nanoseconds step{std::chrono::seconds{5}};
  std::vector<double> steps{}; ///< these loads in place of a growing one; no knee is looked for
  bool of_history = false;     ///< steps are scenario::history, all at the plan's load
  bool has_knee() const { return on && steps.empty(); }
};

/// One invocation of troupe-bench.
struct bench_plan {
  target_spec target;
  arrival_spec arrivals;
  scenario work;
  run_bounds bounds;
  sweep_spec sweep;
  std::vector<objective> objectives;
  nanoseconds good_first_text{0}; ///< a turn is good when its first text comes within it; 0: any
  nanoseconds stall{std::chrono::seconds{2}}; ///< a gap between tokens that counts as a stall
  uint64_t seed = 1;
  uint32_t lanes = 1;  ///< event loops of the generator
  int watched_pid = 0; ///< process whose CPU and memory are measured; 0: the target's own, if known
  uint32_t repeats = 1; ///< of the whole run
};

} // namespace troupe::bench

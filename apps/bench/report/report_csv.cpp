#include "apps/bench/report/report_csv.hpp"

#include <fmt/format.h>

#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/report/figures.hpp"

namespace troupe::bench {

namespace {

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string out = "\"";
  for (char c : text)
    out += c == '"' ? std::string{"\"\""} : std::string{c};
  return out + "\"";
}

class run_lines {
public:
  run_lines(std::string& out, const run_result& run, const std::string& name)
      : out_{out}, run_{run}, first_{fmt::format("{},{:.10g}", cell(name), load_of(run.plan))} {}

  void write() {
    write_totals();
    for (const auto& [code, count] : run_.failures)
      line("total", "failures", cell(code), count);
    write_usage("watched_", run_.watched);
    write_usage("own_", run_.own);
    for (auto which : all_metrics)
      if (run_[which].count() > 0)
        write_times(std::string{to_string(which)}, run_[which]);
    for (size_t i = 0; i < run_.timeline.size(); ++i)
      write_second(std::to_string(i), run_.timeline[i]);
  }

private:
  template <class T>
  void line(const char* kind, const std::string& figure, const std::string& at, T value) {
    fmt::format_to(std::back_inserter(out_), "{},{},{},{},{}\n", first_, kind, figure, at, value);
  }

  template <class T>
  void total(const std::string& figure, T value) {
    line("total", figure, "", value);
  }

  void write_totals() {
    total("seconds", run_.seconds);
    total("started", run_.started);
    total("ended", run_.ended);
    total("cancelled", run_.cancelled);
    total("failed", run_.failed());
    total("cut_off", run_.cut_off);
    total("abandoned", run_.abandoned);
    total("not_begun", run_.not_begun);
    total("good", run_.good);
    total("stalls", run_.stalls);
    total("tokens", run_.tokens);
    total("bytes", run_.bytes);
    total("counted_within", run_.counted_within);
    total("input_tokens", run_.used_within.input_tokens);
    total("output_tokens", run_.used_within.output_tokens);
    total("most_running", run_.most_running);
    total("turns_per_second", run_.turns_per_second());
    total("good_turns_per_second", run_.goodput());
    total("cpu_per_turn_ns", cpu_per_turn_ns(run_));
    total("cpu_per_token_ns", cpu_per_token_ns(run_));
    total("valid", run_.invalid.empty() ? 1 : 0);
  }

  void write_usage(const std::string& who, const process_usage& usage) {
    if (usage.pid == 0)
      return;
    total(who + "cpu_seconds", usage.cpu_seconds);
    total(who + "rss_first_bytes", usage.rss_first);
    total(who + "rss_most_bytes", usage.rss_most);
    total(who + "rss_last_bytes", usage.rss_last);
  }

  void write_times(const std::string& name, const latency_histogram& times) {
    total(name + "_count", times.count());
    total(name + "_mean_ns", times.mean_ns());
    for (const auto& each : shown_quantiles)
      line("quantile", name + "_ns", fmt::format("{}", each.at), times.quantile_ns(each.at));
    line("quantile", name + "_ns", "1", times.max_ns());
  }

  void write_second(const std::string& at, const second_row& second) {
    line("second", "started", at, second.started);
    line("second", "ended", at, second.ended);
    line("second", "failed", at, second.failed);
    line("second", "tokens", at, second.tokens);
    line("second", "running", at, second.running);
    line("second", "first_text_p99_ns", at, second.first_text_p99_ns);
  }

  std::string& out_;
  const run_result& run_;
  std::string first_;
};

} // namespace

std::string report_csv(const bench_outcome& outcome) {
  std::string out = "run,load,kind,figure,at,value\n";
  for (size_t i = 0; i < outcome.runs.size(); ++i)
    run_lines{out, outcome.runs[i], run_name(outcome, i)}.write();
  return out;
}

} // namespace troupe::bench

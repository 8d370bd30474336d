#include "apps/bench/report/report_html.hpp"

#include <fmt/format.h>

#include "apps/bench/plan/duration_text.hpp"
#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/report/figure_rows.hpp"
#include "apps/bench/report/figure_text.hpp"
#include "apps/bench/report/figures.hpp"
#include "apps/bench/report/html_text.hpp"
#include "apps/bench/report/page_assets.hpp"
#include "apps/bench/report/report_json.hpp"
#include "messages/version.hpp"

namespace troupe::bench {

namespace {

std::string title_of(const bench_outcome& outcome) {
  return "troupe-bench: " + (outcome.runs.empty() ? std::string{"nothing was run"}
                                                  : target_text(outcome.runs.front().plan.target));
}

/// Nothing may be loaded from anywhere: what a target's texts say stays text.
std::string head_part(const std::string& title) {
  return fmt::format("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n"
                     "<title>{}</title>\n<style>\n{}\n{}</style>\n</head>\n",
                     html_escaped(title), page::plot_style, page::style);
}

std::string paragraph(const char* kind, const std::string& text) {
  return fmt::format("<p class=\"{}\">{}</p>\n", kind, html_escaped(text));
}

std::string verdict_part(const bench_outcome& outcome) {
  auto why = doubts(outcome);
  auto out = why.empty()
                 ? paragraph("verdict good", "Valid: the generator kept up with its plan.")
                 : paragraph("verdict bad", "Invalid: these figures are not to be trusted.");
  for (const auto& each : why)
    out += paragraph("bad", each);
  for (const auto& each : outcome.objectives)
    out += paragraph(
        each.met ? "good" : "bad",
        fmt::format("{}: {}, {}", each.asked.text, found_text(each), each.met ? "met" : "missed"));
  return out;
}

std::string tile(const std::string& value, const char* what) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", html_escaped(value),
                     html_escaped(what));
}

std::string time_tile(const run_result& run, metric which, double quantile, const char* what) {
  const auto& times = run[which];
  return times.count() == 0
             ? ""
             : tile(duration_text(static_cast<double>(times.quantile_ns(quantile))), what);
}

std::string tiles(const bench_outcome& outcome, const run_result& run) {
  auto out = std::string{"<div class=\"tiles\">\n"};
  if (outcome.knee > 0)
    out += tile(fmt::format("{:.4g}", outcome.knee), "knee: load kept up with");
  out += tile(fmt::format("{:.1f}", run.turns_per_second()), "turns per second") +
         tile(percent_text(run.good_share()), "good turns") +
         tile(count_text(run.failed()), "failed turns") +
         time_tile(run, metric::first_text, 0.5, "first text, p50") +
         time_tile(run, metric::first_text, 0.99, "first text, p99") +
         time_tile(run, metric::turn, 0.99, "turn, p99");
  if (run.watched.pid != 0)
    out += tile(duration_text(cpu_per_turn_ns(run)), "CPU per turn") +
           tile(bytes_text(run.watched.rss_most), "most memory");
  return out + "</div>\n";
}

std::string tables(const report_head& head, const bench_outcome& outcome, const run_result& run) {
  std::string out = "<div class=\"tables\">\n";
  if (outcome.runs.size() > 1) {
    auto main = static_cast<size_t>(&run - outcome.runs.data());
    out += fmt::format("<h2>{}</h2>\n", run.plan.sweep.on ? "Steps" : "Runs");
    out += html_table(run_rows(outcome), main + 1);
  }
  if (run.plan.sweep.has_knee())
    out += paragraph("", "Knee: " + knee_text(outcome));
  out += "<h2>Times</h2>\n" + html_table(time_rows(run)) + "<h2>Turns and their cost</h2>\n" +
         html_facts(run_facts(run));
  auto facts = plan_facts(run.plan);
  facts.emplace_back("machine",
                     fmt::format("{} cores, {}, {}", head.on.cores, head.on.cpu, head.on.kernel));
  if (outcome.ceiling > 0)
    facts.emplace_back(
        "ceiling",
        fmt::format("without any transport the generator can start {} turns/s on this machine",
                    count_text(static_cast<uint64_t>(outcome.ceiling))));
  facts.emplace_back("started", head.started);
  facts.emplace_back("command", head.command);
  facts.emplace_back("version", std::string{version});
  return out + "<h2>Plan and machine</h2>\n" + html_facts(facts) + "</div>\n";
}

std::string scripts(const report_head& head, const bench_outcome& outcome) {
  auto out = "<script type=\"application/json\" id=\"report\">" +
             json_in_html(report_json(head, outcome)) + "</script>\n";
  if (!page::plot_script.empty())
    out += fmt::format("<!--\nuPlot:\n{}\n-->\n<script>{}</script>\n", page::plot_licence,
                       page::plot_script);
  return out + fmt::format("<script>{}</script>\n", page::script);
}

} // namespace

std::string report_html(const report_head& head, const bench_outcome& outcome) {
  auto title = title_of(outcome);
  auto out = head_part(title) + fmt::format("<body>\n<header>\n<h1>{}</h1>\n", html_escaped(title));
  if (outcome.runs.empty())
    return out + "</header>\n</body>\n</html>\n";
  const auto& run = representative_run(outcome);
  out += paragraph("faint", plan_facts(run.plan).back().second) + verdict_part(outcome) +
         tiles(outcome, run) + "</header>\n<main>\n<h2>Plots</h2>\n<div id=\"plots\">" +
         paragraph("faint", "Plots need scripts; the tables have all figures.") + "</div>\n" +
         tables(head, outcome, run) + "</main>\n" + scripts(head, outcome);
  return out + "</body>\n</html>\n";
}

} // namespace troupe::bench

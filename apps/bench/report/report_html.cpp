#include "apps/bench/report/report_html.hpp"

#include <fmt/format.h>

#include "apps/bench/plan/plan_text.hpp"
#include "apps/bench/report/figure_rows.hpp"
#include "apps/bench/report/figures.hpp"
#include "apps/bench/report/reports.hpp"
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
    out += paragraph(each.met ? "good" : "bad",
                     fmt::format("{}, {}", objective_text(each), each.met ? "met" : "missed"));
  return out;
}

/// Returns a table whose first row has the heads. @param marked the row that stands out, from 1;
/// 0: none
std::string html_table(const text_rows& rows, size_t marked = 0) {
  std::string out = "<div class=\"scroll\"><table>\n";
  for (size_t i = 0; i < rows.size(); ++i) {
    const char* tag = i == 0 ? "th" : "td";
    out += i > 0 && i == marked ? "<tr class=\"marked\">" : "<tr>";
    for (const auto& cell : rows[i])
      out += "<" + std::string{tag} + ">" + html_escaped(cell) + "</" + tag + ">";
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

/// Returns a table of names and what is to be said of them.
std::string html_facts(const text_facts& facts) {
  std::string out = "<table class=\"facts\">\n";
  for (const auto& [name, text] : facts)
    out += "<tr><th scope=\"row\">" + html_escaped(name) + "</th><td>" + html_escaped(text) +
           "</td></tr>\n";
  return out + "</table>\n";
}

std::string tile(const std::string& value, const char* what) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", html_escaped(value),
                     html_escaped(what));
}

std::string time_tile(const latency_histogram& times, const char* quantile, const char* what) {
  return times.count() == 0 ? "" : tile(text_of(figures_of(times), quantile), what);
}

std::string tiles(const bench_outcome& outcome, const run_result& run) {
  auto out = std::string{"<div class=\"tiles\">\n"};
  if (outcome.knee > 0)
    out += tile(fmt::format("{:.4g}", outcome.knee), "knee: load kept up with");
  const auto rows = figures_of(run);
  out += tile(text_of(rows, "turns_per_second"), "turns per second") +
         tile(text_of(rows, "good_share"), "good turns") +
         tile(text_of(rows, "failed"), "failed turns") +
         time_tile(run[metric::first_text], "p50", "first text, p50") +
         time_tile(run[metric::first_text], "p99", "first text, p99") +
         time_tile(run[metric::turn], "p99", "turn, p99");
  if (run.watched.pid != 0)
    out += tile(text_of(rows, "cpu_per_turn_ns"), "CPU per turn") +
           tile(text_of(figures_of(run.watched), "rss_most_bytes"), "most memory");
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
  facts.push_back(machine_fact(head));
  if (outcome.ceiling > 0)
    facts.emplace_back("ceiling", ceiling_text(outcome));
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

std::string html_escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out.push_back(c);
    }
  }
  return out;
}

std::string json_in_html(std::string_view json) {
  std::string out;
  for (char c : json) {
    if (c == '<') // it can only stand in a string
      out += "\\u003c";
    else
      out.push_back(c);
  }
  return out;
}

} // namespace troupe::bench

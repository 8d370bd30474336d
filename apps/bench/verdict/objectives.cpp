#include "apps/bench/verdict/objectives.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace troupe::bench {

namespace {

constexpr std::array<std::pair<std::string_view, double>, 5> time_units{
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}}};

constexpr std::array<std::string_view, 3> plain_figures{"good", "failed", "turns_per_second"};

/// Reads a number that is not negative at the begin of `text` and takes it off.
bool take_number(std::string_view& text, double& out) {
  const auto [end, wrong] =
      std::from_chars(text.data(), text.data() + text.size(), out, std::chars_format::fixed);
  if (wrong != std::errc{} || out < 0)
    return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool is_metric(std::string_view name) {
  return std::any_of(all_metrics.begin(), all_metrics.end(),
                     [&](metric each) { return to_string(each) == name; });
}

std::string known_figures() {
  std::string out;
  for (auto each : all_metrics)
    out += fmt::format("{}, ", to_string(each));
  return out + fmt::format("{}", fmt::join(plain_figures, ", "));
}

/// Reads "p99.9" or "max".
bool read_quantile(std::string_view text, double& out) {
  out = 1;
  if (text == "max")
    return true;
  if (!text.starts_with('p'))
    return false;
  text.remove_prefix(1);
  double percent = 0;
  if (!take_number(text, percent) || !text.empty() || percent > 100)
    return false;
  out = percent / 100;
  return true;
}

std::string read_time(std::string_view text, double& out) {
  if (!take_number(text, out))
    return fmt::format("'{}' is not a time; write a number and a unit, as 0.5ms", text);
  for (const auto& [name, ns] : time_units)
    if (name == text) {
      out *= ns;
      return {};
    }
  return fmt::format("'{}' is not a unit; take ns, us, ms, s or m", text);
}

std::string read_plain(std::string_view text, std::string_view figure, double& out) {
  const auto whole = text;
  if (!take_number(text, out) || (!text.empty() && text != "%"))
    return fmt::format("'{}' is not a number", whole);
  if (text == "%")
    out /= 100;
  if (figure != "turns_per_second" && out > 1)
    return fmt::format("'{}' is above 1; {} is a share, as 0.99 or 99%", whole, figure);
  return {};
}

/// Reads what stands before the comparison.
std::string read_figure(std::string_view text, objective& out) {
  const auto colon = text.find(':');
  out.figure = std::string{text.substr(0, colon)};
  const bool is_time = is_metric(out.figure);
  if (!is_time &&
      std::find(plain_figures.begin(), plain_figures.end(), out.figure) == plain_figures.end())
    return fmt::format("'{}' is not a figure; there are {}", out.figure, known_figures());
  if (is_time && colon == text.npos)
    return fmt::format("{} is a time and needs a quantile, as {}:p99", out.figure, out.figure);
  if (!is_time && colon != text.npos)
    return fmt::format("{} has no quantiles", out.figure);
  if (is_time && !read_quantile(text.substr(colon + 1), out.quantile))
    return fmt::format("'{}' is not a quantile; take p50, p99, p99.9 or max",
                       text.substr(colon + 1));
  return {};
}

std::string read(std::string_view text, objective& out) {
  const auto place = text.find_first_of("<>");
  if (place == text.npos)
    return "there is no < or > in it";
  if (auto wrong = read_figure(text.substr(0, place), out); !wrong.empty())
    return wrong;
  out.at_most = text[place] == '<';
  auto limit = text.substr(place + 1);
  if (limit.starts_with('='))
    limit.remove_prefix(1);
  return is_metric(out.figure) ? read_time(limit, out.limit)
                               : read_plain(limit, out.figure, out.limit);
}

/// Returns the value in the objective's unit.
double find(const objective& asked, const run_result& run) {
  for (auto each : all_metrics)
    if (to_string(each) == asked.figure)
      return static_cast<double>(run[each].quantile_ns(asked.quantile));
  if (asked.figure == "good")
    return run.good_share();
  if (asked.figure == "turns_per_second")
    return run.turns_per_second();
  const auto judged = run.judged();
  return judged == 0 ? 0 : static_cast<double>(run.failed()) / static_cast<double>(judged);
}

bool is_measured(const objective& asked, const run_result& run) {
  for (auto each : all_metrics)
    if (to_string(each) == asked.figure)
      return run[each].count() > 0;
  return run.started > 0;
}

/// Returns whether the figure is a time of turns, which failed turns lack.
bool is_of_turns(std::string_view figure) {
  const auto is = [&](metric each) { return to_string(each) == figure; };
  return is_metric(figure) && !is(metric::cancel) && !is(metric::schedule_delay) &&
         !is(metric::lag);
}

/// Returns a text if more turns failed than the quantile leaves room for; else "".
std::string too_many_failed(const objective& asked, const run_result& run) {
  const auto failed = static_cast<double>(run.failed());
  const double room = (1 - asked.quantile) * static_cast<double>(run.judged());
  if (!is_of_turns(asked.figure) || failed <= room + 1e-6)
    return {};
  return fmt::format("{} of {} turns failed", run.failed(), run.judged());
}

/// Orders outcomes of one objective. Met ones come first, because `found` means nothing if too many
/// turns failed; outcomes without a measurement come last.
bool is_better(const objective_outcome& left, const objective_outcome& right) {
  if (left.met != right.met || left.measured != right.measured)
    return left.met != right.met ? left.met : left.measured;
  return left.asked.at_most ? left.found < right.found : left.found > right.found;
}

} // namespace

failure parse_objective(std::string_view text, objective& out) {
  out = {};
  out.text = std::string{text};
  if (auto wrong = read(text, out); !wrong.empty())
    return {errc::config_invalid, fmt::format("objective '{}': {}", text, wrong)};
  return {};
}

objective_outcome judge(const objective& asked, const run_result& run) {
  objective_outcome out{asked};
  out.measured = is_measured(asked, run);
  out.found = out.measured ? find(asked, run) : 0;
  out.why = too_many_failed(asked, run);
  out.met = out.measured && out.why.empty() &&
            (asked.at_most ? out.found <= asked.limit : out.found >= asked.limit);
  out.runs_met = out.met ? 1 : 0;
  return out;
}

objective_outcome judge(const objective& asked, const std::vector<run_result>& runs) {
  std::vector<objective_outcome> all;
  for (const auto& each : runs)
    all.push_back(judge(asked, each));
  std::stable_sort(all.begin(), all.end(), is_better);
  auto out = all[all.size() / 2];
  out.runs = static_cast<uint32_t>(all.size());
  out.runs_met = static_cast<uint32_t>(
      std::count_if(all.begin(), all.end(), [](const auto& each) { return each.met; }));
  return out;
}

} // namespace troupe::bench

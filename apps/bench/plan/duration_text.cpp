#include "apps/bench/plan/duration_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace troupe::bench {

namespace {

struct unit {
  std::string_view name;  ///< as it is typed
  std::string_view shown; ///< as it is printed
  double ns;
};

constexpr std::array units{unit{"ns", "ns", 1}, unit{"us", "us", 1e3},  unit{"ms", "ms", 1e6},
                           unit{"s", "s", 1e9}, unit{"m", "min", 6e10}, unit{"h", "h", 3.6e12}};
constexpr double longest_ns = 3.6e12 * 24 * 365;

/// Returns a number with three digits, or all of those before its point.
std::string three_digits(double value) {
  return value >= 100  ? fmt::format("{:.0f}", value)
         : value >= 10 ? fmt::format("{:.1f}", value)
                       : fmt::format("{:.2f}", value);
}

} // namespace

failure parse_duration(std::string_view text, nanoseconds& out) {
  auto bad = [&](std::string_view why) {
    return failure{errc::request_invalid,
                   fmt::format("\"{}\" {}; write a duration as 250ms, 0.5s or 2m", text, why)};
  };
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{})
    return bad("does not begin with a number");
  std::string_view name{end, static_cast<size_t>(text.data() + text.size() - end)};
  while (!name.empty() && name.front() == ' ')
    name.remove_prefix(1);
  if (name.empty() && number != 0)
    return bad("has no unit");
  double scale = name.empty() ? 1 : 0;
  for (const auto& each : units)
    scale = each.name == name ? each.ns : scale;
  if (scale == 0)
    return bad(fmt::format("has the unknown unit \"{}\"", name));
  if (!(number >= 0) || number * scale > longest_ns)
    return bad("is not between 0 and a year");
  out = nanoseconds{std::llround(number * scale)};
  return {};
}

std::string duration_text(double ns) {
  if (!(ns > 0))
    return "0";
  const auto* fits = &units.front();
  for (const auto& each : units)
    if (ns >= each.ns * 0.9995)
      fits = &each;
  if (fits == &units.front())
    return fmt::format("{:.0f} ns", ns);
  return fmt::format("{} {}", three_digits(ns / fits->ns), fits->shown);
}

std::string duration_option(nanoseconds length) {
  auto ns = length.count();
  std::string_view name = "s";
  int64_t scale = 1'000'000'000;
  for (std::string_view smaller : {"ms", "us", "ns"}) {
    if (ns % scale == 0)
      break;
    name = smaller;
    scale /= 1000;
  }
  return fmt::format("{}{}", ns / scale, name);
}

} // namespace troupe::bench

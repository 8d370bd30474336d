#include "messages/wire/prometheus.hpp"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace troupe {

namespace {

std::string_view name_of(metric_kind kind) {
  switch (kind) {
  case metric_kind::counter:
    return "counter";
  case metric_kind::gauge:
    return "gauge";
  case metric_kind::histogram:
    return "histogram";
  }
  return "untyped";
}

void append_escaped(std::string& out, std::string_view text, bool quotes) {
  for (char each : text)
    if (each == '\n')
      out += "\\n";
    else if (each == '\\' || (quotes && each == '"'))
      out.append(1, '\\').append(1, each);
    else
      out.push_back(each);
}

void append_number(std::string& out, double value) {
  if (std::isfinite(value))
    fmt::format_to(std::back_inserter(out), "{}", value);
  else
    out += std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

void append_label(std::string& out, char before, metric_label label) {
  out.append(1, before).append(label.first).append("=\"");
  append_escaped(out, label.second, true);
  out.push_back('"');
}

} // namespace

void prometheus_text::family(std::string_view name, metric_kind kind, std::string_view help) {
  name_ = name;
  out_.append("# HELP ").append(name).append(1, ' ');
  append_escaped(out_, help, false);
  out_.append("\n# TYPE ").append(name).append(1, ' ').append(name_of(kind)).append(1, '\n');
}

void prometheus_text::line(std::string_view suffix, std::span<const metric_label> labels,
                           std::string_view bound, double value) {
  out_.append(name_).append(suffix);
  char before = '{';
  for (const auto& each : labels)
    if (!each.second.empty())
      append_label(out_, std::exchange(before, ','), each);
  if (!bound.empty())
    append_label(out_, std::exchange(before, ','), {"le", bound});
  out_.append(before == ',' ? "} " : " ");
  append_number(out_, value);
  out_.push_back('\n');
}

void prometheus_text::sample(std::initializer_list<metric_label> labels, double value) {
  line("", labels, "", value);
}

void prometheus_text::sample(std::initializer_list<metric_label> labels, const histogram& values) {
  uint64_t below = 0;
  auto counts = values.counts();
  for (size_t i = 0; i < counts.size(); ++i) {
    below += counts[i];
    auto bound = i < values.bounds().size() ? fmt::format("{}", values.bounds()[i]) : "+Inf";
    line("_bucket", labels, bound, static_cast<double>(below));
  }
  line("_sum", labels, "", values.sum());
  line("_count", labels, "", static_cast<double>(below));
}

void prometheus_text::single(std::string_view name, metric_kind kind, std::string_view help,
                             double value) {
  family(name, kind, help);
  sample({}, value);
}

} // namespace troupe

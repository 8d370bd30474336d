// Prometheus' text exposition format, version 0.0.4.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "messages/histogram.hpp"

namespace troupe {

/// The type of a family of metrics.
enum class metric_kind : uint8_t { counter, gauge, histogram };

/// A name and any value; the value is escaped when written.
using metric_label = std::pair<std::string_view, std::string_view>;

/// Writes metrics, one family after the other. Not thread safe.
class prometheus_text {
public:
  /// The content type of the text.
  static constexpr std::string_view content_type = "text/plain; version=0.0.4; charset=utf-8";

  /// Begins a family; all samples that follow are its own. @param name static storage
  void family(std::string_view name, metric_kind kind, std::string_view help);

  /// Writes a sample of a counter or a gauge.
  void sample(std::initializer_list<metric_label> labels, double value);

  /// Writes the buckets, the sum and the count of a histogram. A label without a value is left out.
  void sample(std::initializer_list<metric_label> labels, const histogram& values);

  /// Writes a family of one sample without labels.
  void single(std::string_view name, metric_kind kind, std::string_view help, double value);

  /// Returns what was written.
  std::string take() { return std::move(out_); }

private:
  void line(std::string_view suffix, std::span<const metric_label> labels, std::string_view bound,
            double value);

  std::string out_;
  std::string_view name_;
};

} // namespace troupe

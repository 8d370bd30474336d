// Sums over all turns since the start, as metrics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "messages/chat/turn_report.hpp"
#include "messages/histogram.hpp"
#include "messages/wire/prometheus.hpp"

namespace troupe {

/// Sums up turn_reports and writes them as Prometheus metrics. Names are those of OpenTelemetry's
/// conventions for generative AI where these have one. At most 200 models, 200 servers and 200
/// tools have rows of their own; all others share the row "other". Not thread safe.
class turn_figures {
public:
  static constexpr size_t max_names = 200;

  void add(const turn_report& turn);
  void write(prometheus_text& out) const;

private:
  template <class Row>
  using rows = std::map<std::string, Row, std::less<>>;

  /// By how it ended; errc::none is a success.
  using durations = std::map<errc, histogram>;

  struct model_row {
    model_row();

    std::map<errc, uint64_t> turns;
    histogram turn_duration;
    durations requests;
    histogram first_chunk;
    histogram input_tokens;
    histogram output_tokens;
    histogram queued;
    uint64_t retries = 0;
  };

  struct server_row {
    std::map<errc, uint64_t> calls;
    rows<durations> tools;
  };

  void add(const model_report& request);
  void add(const tool_report& call);
  model_row& model(std::string_view name);

  void write_requests(prometheus_text& out) const;
  void write_tools(prometheus_text& out) const;
  void write_turns(prometheus_text& out) const;

  rows<model_row> models_;
  rows<server_row> servers_;
  size_t tools_ = 0; ///< of all servers
};

} // namespace troupe

// Metrics and log lines about turns, for the operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <caf/local_actor.hpp>

#include "messages/chat/turn_report.hpp"
#include "messages/histogram.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/log_port.hpp"
#include "messages/wire/prometheus.hpp"

namespace troupe {

/// Sums up turn_reports and writes them as Prometheus metrics. Names are those of OpenTelemetry's
/// conventions for generative AI where these have one. At most 200 models, 200 servers and 200
/// tools have rows of their own; all others share the row "other". Not thread safe.
class turn_figures {
public:
  static constexpr size_t max_names = 200;

  void add(const turn_report& turn);
  void add(const sampling_report& sampled);
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
    std::map<errc, uint64_t> sampled; ///< model requests that it has caused
    uint64_t sampled_input = 0;       ///< tokens
    uint64_t sampled_output = 0;
    rows<durations> tools;
  };

  void add(const model_report& request);
  void add(const tool_report& call);
  model_row& model(std::string_view name);

  void write_requests(prometheus_text& out) const;
  void write_tools(prometheus_text& out) const;
  void write_sampling(prometheus_text& out) const;
  void write_turns(prometheus_text& out) const;

  rows<model_row> models_;
  rows<server_row> servers_;
  size_t tools_ = 0; ///< of all servers
};

/// Spawns the actor that counts and logs turn_reports, linked to its parent. A restart sets its
/// figures to zero, which Prometheus takes as a reset of the counters.
/// @param log may be nullptr
telemetry_actor spawn_telemetry(caf::local_actor& parent, std::shared_ptr<log_port> log);

} // namespace troupe

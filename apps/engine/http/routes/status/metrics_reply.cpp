#include "apps/engine/http/routes/status/metrics_reply.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "apps/engine/http/nodes/cluster_metrics.hpp"
#include "apps/engine/http/nodes/forward_metrics.hpp"
#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "apps/engine/http/routes/status/process_metrics.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/version.hpp"
#include "messages/wire/prometheus.hpp"

namespace troupe {

namespace {

constexpr std::chrono::seconds telemetry_limit{5};

/// What has the metrics that come from no actor.
struct metric_sources {
  client_load load;
  const cluster_store* cluster; ///< nullptr: in none
  const turn_forwarder* nodes;  ///< nullptr: there are none
};

/// Returns those metrics.
std::string own_metrics(const metric_sources& from) {
  prometheus_text out;
  out.single("troupe_http_connections", metric_kind::gauge, "Connections of HTTP clients.",
             static_cast<double>(from.load.connections));
  out.single("troupe_http_buffered_bytes", metric_kind::gauge,
             "Bytes of HTTP clients that wait in memory.",
             static_cast<double>(from.load.buffered_bytes));
  out.single("troupe_http_max_buffered_bytes", metric_kind::gauge, "The limit of those bytes.",
             static_cast<double>(from.load.max_buffered_bytes));
  out.single("troupe_http_buffered_refusals_total", metric_kind::counter,
             "Requests refused and clients given up because of that limit.",
             static_cast<double>(from.load.buffered_refusals));
  out.family("troupe_build_info", metric_kind::gauge, "Always 1; the label has the version.");
  out.sample({{"version", version}}, 1);
  write_process_metrics(out);
  if (from.cluster != nullptr)
    write_cluster_metrics(out, *from.cluster);
  if (from.nodes != nullptr)
    write_forward_metrics(out, *from.nodes->counts());
  return out.take();
}

caf::behavior metrics_reply(caf::event_based_actor* self,
                            const std::shared_ptr<http_response>& response,
                            const metric_sources& from) {
  quiet(self);
  auto figures = whereis<telemetry_actor>(self->system(), telemetry_name);
  if (!figures) {
    send_error(*response, {errc::shutting_down, ""});
    return {};
  }
  self->request(figures, telemetry_limit, atom::status_v)
      .then(
          [=](const std::string& text) {
            response->send(200, {{"content-type", std::string{prometheus_text::content_type}}},
                           text + own_metrics(from));
          },
          [=](const caf::error&) {
            send_error(*response, {errc::shutting_down, ""});
          });
  return {};
}

} // namespace

void spawn_metrics_reply(http_call& in) {
  in.system.spawn(metrics_reply, std::move(in.response),
                  metric_sources{in.load(), in.cluster, in.nodes});
}

} // namespace troupe

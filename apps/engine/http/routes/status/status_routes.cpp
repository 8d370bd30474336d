#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

#include <caf/all.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "apps/engine/http/nodes/cluster_metrics.hpp"
#include "apps/engine/http/nodes/forward_metrics.hpp"
#include "apps/engine/http/nodes/turn_forwarder.hpp"
#include "apps/engine/http/requests/http_route.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "apps/engine/http/routes/status/status_reply.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"
#include "messages/version.hpp"
#include "messages/wire/prometheus.hpp"

namespace troupe {

// -- process metrics ------------------------------------------------------------------------------

namespace {

namespace fs = std::filesystem;

std::string read_all(const char* path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// /proc/self/stat from its third field on: the second, the name, may hold anything.
struct process_stat {
  uint64_t user_ticks = 0;
  uint64_t system_ticks = 0;
  uint64_t start_ticks = 0; ///< since the machine was started
  uint64_t virtual_bytes = 0;
  uint64_t resident_pages = 0;
};

bool read_stat(process_stat& out) {
  auto text = read_all("/proc/self/stat");
  auto after_name = text.rfind(')');
  if (after_name == text.npos)
    return false;
  std::istringstream in{text.substr(after_name + 1)};
  std::string skipped;
  auto skip = [&](int fields) {
    while (fields-- > 0)
      in >> skipped;
  };
  skip(11); // fields 3 to 13 of proc(5)
  in >> out.user_ticks >> out.system_ticks;
  skip(6);
  in >> out.start_ticks >> out.virtual_bytes >> out.resident_pages;
  return !in.fail();
}

/// Returns when the machine was started, in seconds since 1970; 0 if unknown.
double boot_time() {
  std::istringstream in{read_all("/proc/stat")};
  for (std::string word; in >> word;)
    if (double seconds = 0; word == "btime" && in >> seconds)
      return seconds;
  return 0;
}

void write_times(prometheus_text& out, const process_stat& stat) {
  auto ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  out.single("process_cpu_seconds_total", metric_kind::counter,
             "Processor time used, of the user and the system, in seconds.",
             static_cast<double>(stat.user_ticks + stat.system_ticks) / ticks_per_second);
  if (auto boot = boot_time(); boot > 0)
    out.single("process_start_time_seconds", metric_kind::gauge,
               "When the process was started, in seconds since 1970.",
               boot + static_cast<double>(stat.start_ticks) / ticks_per_second);
}

void write_memory(prometheus_text& out, const process_stat& stat) {
  out.single("process_resident_memory_bytes", metric_kind::gauge, "Resident memory in bytes.",
             static_cast<double>(stat.resident_pages) *
                 static_cast<double>(::sysconf(_SC_PAGESIZE)));
  out.single("process_virtual_memory_bytes", metric_kind::gauge, "Virtual memory in bytes.",
             static_cast<double>(stat.virtual_bytes));
}

void write_descriptors(prometheus_text& out) {
  std::error_code failed;
  fs::directory_iterator open{"/proc/self/fd", failed};
  if (!failed)
    out.single("process_open_fds", metric_kind::gauge, "Open file descriptors.",
               static_cast<double>(std::distance(fs::begin(open), fs::end(open))));
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    out.single("process_max_fds", metric_kind::gauge, "How many descriptors may be open.",
               static_cast<double>(limit.rlim_cur));
}

/// Writes process_* metrics under the names of Prometheus' client libraries; those that cannot be
/// read are left out. Any thread.
void write_process_metrics(prometheus_text& out) {
  if (process_stat stat; read_stat(stat)) {
    write_times(out, stat);
    write_memory(out, stat);
  }
  write_descriptors(out);
}

// -- metrics reply --------------------------------------------------------------------------------

constexpr std::chrono::seconds telemetry_limit{5};

/// Sources of the metrics that come from no actor.
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

/// Answers with everything there is to measure as Prometheus text: turns, models, tools, chats, MCP
/// servers, connections, the process.
void spawn_metrics_reply(http_call& in) {
  in.system.spawn(metrics_reply, std::move(in.response),
                  metric_sources{in.services.load(), in.services.cluster, in.services.nodes});
}

// -- status routes --------------------------------------------------------------------------------

void get_health(http_call& in) {
  in.response->send(200, {{"content-type", "text/plain"}}, "ok\n");
}

void get_ready(http_call& in) {
  spawn_ready_reply(in);
}

void get_status(http_call& in) {
  spawn_status_reply(in);
}

void get_metrics(http_call& in) {
  spawn_metrics_reply(in);
}

constexpr std::array status_rows{
    http_route{"GET", "/v1/status", get_status, route_access::admins},
    http_route{"GET", "/metrics", get_metrics, route_access::admins}, // Prometheus' own path
    http_route{"GET", "/healthz", get_health, route_access::everybody},
    http_route{"GET", "/readyz", get_ready, route_access::everybody},
};

} // namespace

route_table status_routes() {
  return status_rows;
}

} // namespace troupe

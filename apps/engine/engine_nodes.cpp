// An engine as a node of a cluster: its port for the other nodes, and their part in a shutdown.
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "apps/engine/engine_impl.hpp"
#include "apps/engine/http/requests/route_tables.hpp"
#include "messages/cluster/cluster_store.hpp"
#include "messages/ports/log_line.hpp"

namespace troupe {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// The room for a node's own header fields beside those of a client.
constexpr size_t node_field_bytes = 4096;
/// Nodes close idle connections after two minutes. Were the server first, a request could meet the
/// close, and one that begins a turn is not sent twice.
constexpr std::chrono::seconds node_idle{300};

/// How long the connections that came last may take to bring their requests: one that is lost on
/// its way comes again after 0.2 s, and after another 0.4.
constexpr milliseconds last_requests{1000};

/// All requests of a node come from one address.
server_limits limits_for_nodes(server_limits of_clients) {
  of_clients.max_connections_per_address = 0;
  of_clients.max_header_bytes += node_field_bytes;
  of_clients.idle_timeout = std::max<milliseconds>(of_clients.idle_timeout, node_idle);
  return of_clients;
}

} // namespace

void engine::impl::join_nodes() {
  auto* shared = store ? store->cluster() : nullptr;
  if (!config.cluster || shared == nullptr)
    return;
  const auto& as = *config.cluster;
  nodes = std::make_unique<turn_forwarder>(forward_setup{
      system, http, as.node, as.secret, [lease = shared->lease()] { return lease->incarnation(); },
      config.log, [lease = shared->lease()] { return lease->drains(); }});
  api.forward_to(*nodes, mcp_node_routes());
  node_server = std::make_unique<http_server>(
      loops, limits_for_nodes(config.limits.server),
      [this](server_request&& request, std::shared_ptr<http_response> response) {
        api.answer_node(std::move(request), std::move(response));
      },
      [this](const server_request& request) { return api.permit_node(request); });
  if (auto bad = node_server->listen(as.listen)) {
    leave_cluster(); // else others look for this node until its lease is over
    throw start_error{{bad.code, "cluster.listen: " + bad.text()}};
  }
  log_line line;
  line.add("node", as.node).add("address", as.listen).add("port", node_server->port());
  write_log(config.log.get(), log_level::info, "cluster_listening", line);
}

void engine::impl::drain_nodes() {
  if (!nodes)
    return;
  nodes->drain();
  if (server)
    server->announce_end();
}

void engine::impl::await_other_nodes(steady_clock::time_point begun, milliseconds drain_limit) {
  if (!nodes)
    return;
  if (server) {
    std::this_thread::sleep_until(begun + std::min(config.cluster->drain_notice, drain_limit));
    server->stop_listening(); // a connection that is refused does no harm, one that is reset does
    std::this_thread::sleep_for(std::min<milliseconds>(last_requests, drain_limit));
  }
  const auto& open = nodes->counts()->open;
  while (open + nodes->searches() > 0 && steady_clock::now() < begun + drain_limit)
    std::this_thread::sleep_for(milliseconds{1});
  node_server->stop_accepting();
}

} // namespace troupe

// The HTTP interface: which request does what.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include "apps/engine/access/key_ring.hpp"
#include "apps/engine/access/origin_log.hpp"
#include "apps/engine/config.hpp"
#include "apps/engine/http/requests/answer_slots.hpp"
#include "apps/engine/http/requests/http_route.hpp"
#include "apps/engine/http/sinks/stream_keep_alive.hpp"
#include "messages/http.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/clients/ui/ui_message_stream.hpp"
#include "transport/http_server/http_server.hpp"

namespace troupe {

/// Answers the requests of clients with the actors of one system.
class http_api {
public:
  /// @param system outlives the object and all answers
  /// @param config outlives the object
  /// @param routes outlives the object; the first row that fits answers
  /// @param load counts what the clients take; is called within answer() only
  http_api(caf::actor_system& system, const engine_config& config,
           std::span<const route_table> routes, std::function<client_load()> load);
  ~http_api();

  http_api(const http_api&) = delete;
  http_api& operator=(const http_api&) = delete;

  /// Answers now or later. Unknown paths get 404, known ones with another method 405. Any thread.
  void answer(server_request&& request, std::shared_ptr<http_response> response);

  /// Decides from a request's head whether its body is read: only of those who are let in, at an
  /// address that takes it. The owner pays for it. Any thread.
  body_permit permit(const server_request& request) const;

  /// Returns the keys for `config.auth.keys`. The conversation_reader updates them. Any thread.
  const std::shared_ptr<key_ring>& keys() const { return keys_; }

  /// Sets where requests that are passed through go out; outlives all answers. Before answer().
  void reach(http_port& http) { services_.upstream = &http; }

  /// Sets the node's place in its cluster; outlives all answers. Before answer().
  void join(cluster_store* cluster) { services_.cluster = cluster; }

  /// This server is a node of a cluster from now on. @param nodes outlives all answers @param own
  /// rows for other nodes alone. Before answer()
  void forward_to(turn_forwarder& nodes, route_table own);

  /// The same two for requests of other nodes, on the cluster's port: the owner of a request is
  /// that which a signed one names. Only after forward_to(). Any thread.
  void answer_node(server_request&& request, std::shared_ptr<http_response> response);
  body_permit permit_node(const server_request& request) const;

  /// Ends endless answers (event streams) in order; later ones end at once. Any thread.
  void end_streams();

private:
  /// Answers as large as a chat that are made at a time: they take turns at a core anyway.
  static constexpr size_t large_answers = 4;

  caf::actor_system& system_;
  const engine_config& config_;
  std::span<const route_table> routes_;
  route_table node_rows_; ///< for other nodes alone
  stream_keep_alive keep_alive_{system_};
  answer_slots slots_{large_answers};
  http_services services_;
  origin_log refused_pages_;
  std::shared_ptr<key_ring> keys_ = std::make_shared<key_ring>();
};

} // namespace troupe

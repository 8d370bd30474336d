// THE place that decides which node of a cluster answers a request.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <caf/actor_system.hpp>

#include "apps/engine/http/nodes/forward_counts.hpp"
#include "apps/engine/http/nodes/forward_fields.hpp"
#include "apps/engine/http/nodes/provisional_answer.hpp"
#include "apps/engine/http/requests/http_route.hpp"
#include "messages/ports/log_port.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// The parts that a node needs to hand requests on. The references outlive the forwarder.
struct forward_setup {
  caf::actor_system& system;
  http_port& http;
  std::string node;                ///< this one's name
  std::string secret;              ///< of the cluster
  std::function<uint64_t()> start; ///< which start of this node the others know; any thread
  std::shared_ptr<log_port> log;
  std::function<bool()> drains = {}; ///< whether an operator wants no turns here; any thread
};

/// Has a request answered by the node that it is for: this one, the one that runs the turn of its
/// chat, or, while this one drains, one that takes turns. Asks the cluster_directory. Any thread.
///
///     here:   run here --chat is busy--> look --another node runs it--> forward
///     owner:  look --nobody, or this node--> run here
///             '--another node runs it--> forward
///     draining, fresh: the same, but a turn that could run here goes to another node
///
/// A node that does not run the turn (any more) says so, and then this one looks again. It outlives
/// all answers.
class turn_forwarder {
public:
  explicit turn_forwarder(forward_setup setup);

  turn_forwarder(const turn_forwarder&) = delete;
  turn_forwarder& operator=(const turn_forwarder&) = delete;

  /// Answers a request of a client. @param row with a turn_place
  void run(const http_route& row, http_call&& in);

  /// Answers a request of a client that is not for this node, as far as is known: looks first.
  void search(const http_route& row, http_call&& in);

  /// Answers a request that came over a WebSocket: as search(), with the row of its path. Only
  /// after serve().
  void ask(const principal& who, server_request&& what, std::shared_ptr<http_response> to) {
    ask_(who, std::move(what), std::move(to));
  }

  using asker =
      std::function<void(const principal&, server_request&&, std::shared_ptr<http_response>)>;

  /// Sets what finds the row of a request and has it searched for. Before all others.
  void serve(asker finds) { ask_ = std::move(finds); }

  /// Answers a request of another node; it is not forwarded again. @param row with a turn
  void take(const http_route& row, http_call&& in, const forward_terms& terms);

  /// From now on turns go to other nodes.
  void drain() noexcept { draining_ = true; }
  bool drains() const { return draining_ || (setup_.drains && setup_.drains()); }

  const forward_setup& setup() const noexcept { return setup_; }
  forward_sender sender() const { return {setup_.node, signature_}; }
  const forward_signature& signature() const noexcept { return signature_; }
  const std::shared_ptr<forward_counts>& counts() const noexcept { return counts_; }

  /// Runs a row here, and goes on if the chat is busy. @param round how often it was tried before
  void try_here(const http_route& row, http_call&& in, int round);

  /// Requests whose node is being looked for.
  std::atomic<size_t>& searches() noexcept { return searches_; }

private:
  asker ask_;
  forward_setup setup_;
  forward_signature signature_;
  std::shared_ptr<forward_counts> counts_ = std::make_shared<forward_counts>();
  std::atomic<size_t> searches_{0};
  std::atomic<bool> draining_{false};
};

} // namespace troupe

// The scripted model's routes, over all loops.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "apps/model/model_shard.hpp"
#include "messages/http.hpp"
#include "messages/ports/ports.hpp"
#include "transport/loop/loop.hpp"

namespace troupe::scripted {

/// Takes the requests of a server and answers them. Held by shared_ptr: work that it has posted to
/// other loops holds it, too.
class model_routes : public std::enable_shared_from_this<model_routes> {
public:
  /// @param home must outlive this
  /// @param max_running answers that may run at once on each loop; 0: no bound
  /// @param shows_requests false: only the routes that a provider has
  explicit model_routes(shards& home, size_t max_running = 0, bool shows_requests = true);

  /// Answers one request. Loop threads only.
  void take(server_request&& request, std::shared_ptr<http_response> to);

  /// Drops the answers under way, on every loop. Not from a loop's thread.
  void drop_answers();

private:
  using visitor = std::function<void(model_shard&)>;

  void visit_shards(size_t first, visitor visit, task after);
  void complete(server_request&& request, const request_address& at,
                std::shared_ptr<http_response> to);
  void send_requests(const std::shared_ptr<http_response>& to);
  void clear_requests(const std::shared_ptr<http_response>& to);
  void send_stats(http_response& to) const;

  shards& home_;
  bool shows_requests_;
  model_counters counters_;
  std::vector<std::unique_ptr<model_shard>> shards_; // each touched on its own loop only
};

} // namespace troupe::scripted

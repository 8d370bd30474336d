// The HTTP interface: which request does what.
#pragma once

#include <memory>

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include "messages/http.hpp"
#include "messages/ports.hpp"

namespace troupe {

/// Answers the requests of clients with the actors of one system.
class http_api {
public:
  /// @param system outlives the object and all answers
  explicit http_api(caf::actor_system& system);
  ~http_api();

  http_api(const http_api&) = delete;
  http_api& operator=(const http_api&) = delete;

  /// Answers now or later. Unknown paths get 404, known ones with another method 405. Any thread.
  void answer(server_request&& request, std::shared_ptr<http_response> response);

  /// Ends the answers that have no end of their own, in order; later ones end at once. Any thread.
  void end_streams();

private:
  caf::actor_system& system_;
  caf::actor streams_; ///< those answers end with it
};

} // namespace troupe

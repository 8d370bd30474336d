// The HTTP interface: which request does what.
#pragma once

#include <memory>

#include <caf/actor_system.hpp>

#include "messages/http.hpp"
#include "messages/ports.hpp"

namespace troupe {

/// Answers the requests of clients with the actors of one system. Any thread; has no state of its
/// own.
class http_api {
public:
  /// @param system outlives the object and all answers
  explicit http_api(caf::actor_system& system) : system_(system) {}

  /// Answers now or later. Unknown paths get 404, known ones with another method 405.
  void answer(server_request&& request, std::shared_ptr<http_response> response);

private:
  caf::actor_system& system_;
};

} // namespace troupe

// Requests of this node itself to the cluster ports of others.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "apps/engine/http/nodes/forward_signature.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// An http_port that signs what it sends, as a forwarded request that belongs to no owner. A field
/// `troupe-to` of a request says which start of the node is meant. A node that takes no connection
/// within two seconds, or does not acknowledge bytes for four, is lost. Any thread.
class node_http final : public http_port {
public:
  /// @param http carries the requests; outlives this @param node this one's name
  node_http(http_port& http, std::string node, std::string_view secret)
      : http_{http}, node_{std::move(node)}, signature_{secret} {}

  std::unique_ptr<http_exchange> open(http_request request, uint64_t exchange,
                                      receiver deliver) override;

private:
  http_port& http_;
  std::string node_;
  forward_signature signature_;
};

} // namespace troupe

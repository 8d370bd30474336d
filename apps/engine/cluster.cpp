#include "apps/engine/cluster.hpp"

#include <utility>

#include "transport/postgres/postgres_store.hpp"

namespace troupe {

node_list read_cluster(const std::string& url) {
  failure why;
  const auto nodes = open_postgres_directory(url, why);
  return nodes ? nodes->nodes() : node_list{std::move(why), {}};
}

failure drain_node(const std::string& url, const std::string& name) {
  failure why;
  const auto nodes = open_postgres_directory(url, why);
  return nodes ? nodes->drain(name) : why;
}

failure forget_node(const std::string& url, const std::string& name, uint64_t& freed) {
  failure why;
  const auto nodes = open_postgres_directory(url, why);
  return nodes ? nodes->forget(name, freed) : why;
}

} // namespace troupe

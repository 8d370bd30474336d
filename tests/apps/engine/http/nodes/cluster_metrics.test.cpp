#include "apps/engine/http/nodes/cluster_metrics.hpp"

#include <string>

#include "tests/actors/cluster/fake_cluster.hpp"
#include "tests/support/catch.hpp"

namespace cluster_metrics_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a node's metrics say how many nodes there are, and what became of its claims",
          "[apps][cluster]") {
  fake_cluster cluster;
  cluster.counted->serving = 3;
  cluster.counted->claims = 7;
  cluster.counted->held_elsewhere = 2;
  cluster.counted->fenced = 1;
  prometheus_text out;
  write_cluster_metrics(out, cluster);
  const auto text = out.take();
  for (const auto* line :
       {"troupe_cluster_nodes{state=\"serving\"} 3\n", "troupe_cluster_nodes{state=\"dead\"} 0\n",
        "troupe_cluster_claims_total{result=\"ok\"} 7\n",
        "troupe_cluster_claims_total{result=\"foreign\"} 2\n", "troupe_cluster_fenced_total 1\n"})
    CHECK(text.find(line) != std::string::npos);
}

} // namespace cluster_metrics_test

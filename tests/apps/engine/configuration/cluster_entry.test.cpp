// The section `cluster`, as a configuration has it.
#include <string>
#include <utility>
#include <vector>

#include "apps/engine/config.hpp"
#include "tests/support/catch.hpp"

namespace cluster_entry_test {

using namespace troupe;

namespace {

const std::string store = R"("store":"postgresql://u@db/chats",)";
const std::string secret = R"("secret":"0123456789abcdef")";

std::string error_of(const std::string& members) {
  engine_config config;
  return parse_config("{" + store + R"("cluster":{)" + members + "}}", config).message;
}

} // namespace

TEST_CASE("a node of a cluster is read", "[apps][config][cluster]") {
  engine_config config;
  REQUIRE_FALSE(parse_config("{" + store + R"("cluster":{"node":"a-1","listen":"0.0.0.0:8090",
      "advertise":"http://10.0.0.1:8090","beatMs":100,"leaseMs":2000,
      "drainNoticeSeconds":7,)" + secret +
                                 "}}",
                             config));
  REQUIRE(config.cluster);
  CHECK(config.cluster->node == "a-1");
  CHECK(config.cluster->listen == "0.0.0.0:8090");
  CHECK(config.cluster->advertise == "http://10.0.0.1:8090");
  CHECK(config.cluster->secret == "0123456789abcdef");
  CHECK(config.cluster->beat.count() == 100);
  CHECK(config.cluster->lease.count() == 2000);
  CHECK(config.cluster->drain_notice == std::chrono::seconds{7});
}

TEST_CASE("a node has an address of its own, and beats each half second", "[apps][config]"
                                                                          "[cluster]") {
  engine_config config;
  REQUIRE_FALSE(parse_config(
      "{" + store + R"("cluster":{"node":"a","listen":"10.0.0.1:8090",)" + secret + "}}", config));
  CHECK(config.cluster->advertise == "http://10.0.0.1:8090");
  CHECK(config.cluster->beat.count() == 500);
  CHECK(config.cluster->lease.count() == 5000);
  CHECK(config.cluster->drain_notice == std::chrono::seconds{5});
}

TEST_CASE("a server without the section is no node", "[apps][config][cluster]") {
  engine_config config;
  REQUIRE_FALSE(parse_config(R"({"store":"postgresql://u@db/chats"})", config));
  CHECK_FALSE(config.cluster);
}

TEST_CASE("a node without a common database is refused", "[apps][config][cluster]") {
  engine_config config;
  const auto bad = parse_config(
      R"({"data":"/tmp/x","cluster":{"node":"a","listen":"127.0.0.1:1",)" + secret + "}}", config);
  CHECK(bad.code == errc::config_invalid);
  CHECK(bad.message.find("cluster needs \"store\"") == 0);
}

TEST_CASE("what a cluster cannot use is refused with its key", "[apps][config][cluster]") {
  const std::string here = R"("node":"a","listen":"10.0.0.1:1",)";
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"("listen":"10.0.0.1:1",)" + secret, "cluster.node is missing"},
      {R"("node":"a",)" + secret, "cluster.listen is missing"},
      {R"("node":"a","listen":"10.0.0.1:1")", "cluster.secret is missing"},
      {R"("node":"a b","listen":"10.0.0.1:1",)" + secret, "cluster.node must be a name"},
      {R"("node":"a","listen":"8090",)" + secret, "cluster.listen must be HOST:PORT"},
      {R"("node":"a","listen":"0.0.0.0:8090",)" + secret, "cluster.advertise is missing"},
      {R"("node":"a","listen":"[::]:8090",)" + secret, "cluster.advertise is missing"},
      {R"("node":"a","listen":"10.0.0.1:0",)" + secret, "cluster.advertise is missing"},
      {here + R"("advertise":"10.0.0.1:1",)" + secret, "cluster.advertise must be a URL"},
      {here + R"("advertise":"http://10.0.0.1:1/",)" + secret, "cluster.advertise must be a URL"},
      {here + R"("secret":"short")", "cluster.secret must have at least 16"},
      {here + R"("beatMs":10,)" + secret, "cluster.beatMs must be"},
      {here + R"("leaseMs":1000,)" + secret, "cluster.leaseMs must be"},
      {here + R"("beatMs":600,"leaseMs":2000,)" + secret, "cluster.leaseMs must be at least 4"},
      {here + R"("nod":"b",)" + secret, "cluster.nod is not a known key"},
  };
  for (const auto& [members, wanted] : cases) {
    CAPTURE(members);
    CHECK(error_of(members).find(wanted) == 0);
  }
}

TEST_CASE("no complaint shows the secret", "[apps][config][cluster]") {
  CHECK(error_of(R"("node":"","listen":"x","secret":"top-secret")").find("top-secret") ==
        std::string::npos);
}

} // namespace cluster_entry_test

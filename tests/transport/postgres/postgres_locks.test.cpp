// The lock of a node, which its connection holds.
#include <chrono>

#include "tests/transport/postgres/postgres_cluster.hpp"

namespace postgres_locks_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a node whose beat gets no answer in time is not dead for that",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  auto b = folder.node("b");
  const auto dead = [&] {
    folder.lease_for("1 hour", "b");
    folder.silent_for("1 minute", "b");
    return folder.number("SELECT count(*) FROM nodes n WHERE is_dead(n)");
  };
  folder.sql("CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS "
             "'BEGIN PERFORM pg_sleep(3); RETURN NEW; END';"
             "CREATE TRIGGER slow BEFORE UPDATE ON nodes FOR EACH ROW EXECUTE FUNCTION slow()");
  CHECK(b.members().beat({}).error.code == errc::store_failed);
  folder.sql("DROP TRIGGER slow ON nodes"); // behind the beat, which nobody waits for any more
  CHECK(dead() == 0);

  INFO("the next connection takes over its lock");
  b.beat_until([&](const member_beat& now) { return !now.reconnected; });
  CHECK(dead() == 0);
  b.die();
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (dead() == 0) // the server has to see the end of its connection
    REQUIRE(std::chrono::steady_clock::now() < until);
}

} // namespace postgres_locks_test

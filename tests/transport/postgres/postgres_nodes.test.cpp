// What becomes of the chats and the turns of a dead node.
#include "transport/postgres/postgres_nodes.hpp"

#include <array>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "tests/transport/postgres/postgres_cluster.hpp"
#include "tests/transport/store/quota_asks.hpp"

namespace postgres_nodes_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Returns how many connections to the test's database wait for a lock of another one.
int64_t waiting(const postgres_folder& folder) {
  return folder.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
                       "AND datname = current_database()");
}

/// A node whose owners have a quota.
tested_node limited_node(const postgres_cluster_folder& folder, const std::string& name,
                         owner_quota quota) {
  auto how = folder.node_options(name);
  how.quota = quota;
  tested_node out;
  out.port = postgres_cluster_folder::opened(how);
  out.store = connected(*out.port);
  return out;
}

} // namespace

TEST_CASE("a chat that a dead node has claimed goes on also if its turn is over",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  const auto first = b.store->save(claiming("s"));
  auto over = ending("s", first);
  over.claim.gives = false; // the next turn begins with its last save
  REQUIRE_FALSE(b.store->save(over).error);
  a.settle();
  folder.lease_for("-1 second", "b");
  const auto next = claiming("s", "t2");
  a.beat_until([&](const member_beat&) { return a.store->save(next).claim == claim_state::stale; });
  const auto record = a.store->load({"s"});
  CHECK(record.claim == claim_state::none);
  CHECK(record.last_turn.state == turn_state::ended);
  CHECK(a.store->save(claiming_again(next, record)).fence.node == a.incarnation());
}

TEST_CASE("a node that two sweep at once is forgotten when none of its turns is left",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  folder.sql("INSERT INTO turns(conversation, turn_id, number, message_id, state, error, "
             "error_text, model, resumable, started, ended, used, counted, node, epoch) "
             "SELECT i, 't', 1, '', 0, '', '', '', 0, 5, 0, '{}', 0, "
             "(SELECT incarnation FROM nodes WHERE name = 'b'), 1 FROM generate_series(1, 600) i");
  folder.lease_for("-1 second", "b");
  const auto other = folder.beside(); // sweeps the first piece of them, too
  other->begin();
  other->add("UPDATE turns SET state = 4 WHERE conversation <= 500");
  REQUIRE_FALSE(other->run());
  const auto own = folder.beside();
  swept_turns swept;
  failure error;
  std::thread sweeper{[&] { error = sweep_piece(*own, b.incarnation(), 7, swept); }};
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (waiting(folder) == 0 && std::chrono::steady_clock::now() < until)
    continue;
  CHECK_FALSE(other->commit());
  sweeper.join();
  CHECK_FALSE(error);
  CHECK(swept.count == 0);
  CHECK(swept.more);
  while (swept.more && !error)
    error = sweep_piece(*own, b.incarnation(), 7, swept);
  CHECK_FALSE(error);
  CHECK(swept.count == 100);
  CHECK(folder.number("SELECT count(*) FROM nodes") == 1);
}

TEST_CASE("a chat that two free at once is freed once", "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = folder.node("a");
  const auto b = folder.node("b");
  REQUIRE_FALSE(b.store->save(claiming("s")).error);
  folder.lease_for("-1 second", "b");
  const auto before = folder.number("SELECT version FROM conversations");
  swept_turns swept;
  std::future<failure> sweep; // ends when the other one does, which is destroyed first
  const auto other = folder.beside();
  REQUIRE_FALSE(other->execute("BEGIN; UPDATE conversations SET version = version + 1, "
                               "epoch = epoch + 1, node = 0; UPDATE turns SET state = 4"));
  sweep = std::async(std::launch::async,
                     [&] { return sweep_piece(*folder.beside(), b.incarnation(), 7, swept); });
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (waiting(folder) == 0)
    REQUIRE(std::chrono::steady_clock::now() < until);
  REQUIRE_FALSE(other->execute("COMMIT"));
  CHECK_FALSE(sweep.get());
  CHECK(swept.count == 0);
  CHECK(folder.number("SELECT version FROM conversations") == before + 1);
}

TEST_CASE("batches that free chats of a dead node never wait for each other in a circle",
          "[transport][postgres][cluster]") {
  constexpr const char* deadlocks = "SELECT coalesce(sum(deadlocks), 0)::bigint FROM "
                                    "pg_stat_database WHERE datname = current_database()";
  postgres_cluster_folder folder;
  const auto before = folder.number(deadlocks);
  auto a = folder.node("a");
  auto b = folder.node("b");
  const auto c = folder.node("c");
  for (const char* chat : {"s", "t"})
    REQUIRE_FALSE(c.store->save(claiming(chat)).error);
  a.settle();
  b.settle();
  folder.sql("UPDATE nodes SET state = 2 WHERE name = 'c'"); // else they wait for its row
  const auto s = claiming("s", "t2"), t = claiming("t", "t2");
  std::vector<save_answer> answers_of_a, answers_of_b;
  const auto free = [](const tested_node& node, std::vector<const save_chat*> asks,
                       std::vector<save_answer>& answers) {
    return std::async(std::launch::async, [&node, &answers, asks = std::move(asks)] {
      return node.store->save_all(asks, answers);
    });
  };
  const auto other = folder.beside(); // both savers have their first row to wait for
  REQUIRE_FALSE(other->execute("BEGIN; SELECT 1 FROM conversations FOR UPDATE"));
  auto one = free(a, {&s, &t}, answers_of_a), two = free(b, {&t, &s}, answers_of_b);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (waiting(folder) < 2)
    REQUIRE(std::chrono::steady_clock::now() < until);
  REQUIRE_FALSE(other->execute("COMMIT"));
  CHECK_FALSE(one.get());
  CHECK_FALSE(two.get());
  for (const auto* answers : {&answers_of_a, &answers_of_b})
    for (const auto& each : *answers)
      CHECK(each.claim == claim_state::stale);
  const auto ids =
      std::array{postgres_node_name(a.incarnation()), postgres_node_name(b.incarnation())};
  a.die();
  b.die();
  for (const auto& each : ids) // a connection that ends tells how many it had
    while (folder.number(
               ("SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + each + "'")
                   .c_str()) > 0)
      REQUIRE(std::chrono::steady_clock::now() < until);
  CHECK(folder.number(deadlocks) == before);
}

TEST_CASE("what an owner keeps is counted over all nodes, and with what is saved together",
          "[transport][postgres][cluster]") {
  postgres_cluster_folder folder;
  const auto a = limited_node(folder, "a", {3, 0}), b = limited_node(folder, "b", {3, 0});
  std::vector<save_chat> all;
  for (const auto* name : {"v", "w", "x", "y", "z"})
    all.push_back(beginning(name, "hello"));
  std::vector<save_answer> answers;
  REQUIRE_FALSE(a.store->save_all({&all[0], &all[1], &all[2], &all[3], &all[4]}, answers));
  std::vector<errc> codes;
  for (const auto& each : answers)
    codes.push_back(each.error.code);
  const auto no = errc::quota_used_up;
  CHECK(codes == std::vector{errc::none, errc::none, errc::none, no, no});

  CHECK(b.store->save(beginning("b1", "hello")).error.code == no);
  REQUIRE_FALSE(do_change(*b.store, changing("v", conversation_verb::remove)));
  CHECK_FALSE(a.store->save(beginning("a1", "hello")).error);
  CHECK(b.store->save(beginning("b1", "hello")).error.code == no);
}

TEST_CASE("what another node has taken is seen after a second", "[transport][postgres][cluster]") {
  constexpr size_t most = 10'000'000;
  postgres_cluster_folder folder;
  const auto a = limited_node(folder, "a", {0, most}), b = limited_node(folder, "b", {0, most});
  REQUIRE_FALSE(b.store->save(beginning("b", "hello")).error);
  REQUIRE_FALSE(a.store->save(beginning("a", "hello")).error);
  const auto answer = said(role::assistant, std::string(most, 'x'));
  REQUIRE_FALSE(a.store->save(saving("a", {answer}, 1)).error); // of a turn that runs

  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  size_t taken = 0;
  while (!b.store->save(beginning("b", "again")).error) {
    REQUIRE(std::chrono::steady_clock::now() < until);
    ++taken;
  }
  CHECK(taken * 2 * kept_row_bytes < most); // so b has not found it by what it took itself
}

} // namespace postgres_nodes_test

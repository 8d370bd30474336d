#include "actors/mcp_hub/mcp_hub.hpp"
#include "actors/registry.hpp"

#include "tests/actors/mcp_hub/mcp_hub_fixture.hpp"

namespace mcp_hub_end_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(mcp_hub_fixture, "a connection that crashes loses its calls and is started again",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one", "two"});
  shake_hands(*this, link("one"), {"echo"});
  shake_hands(*this, link("two"), {"other"});
  auto who = caller(got);
  call(who, "a", "one");
  call(who, "b", "two");
  crash_connection("one");
  REQUIRE(got.outcomes.size() == 1);
  CHECK(got.outcomes[0].tool_call_id == "a");
  CHECK(got.outcomes[0].error == errc::server_lost);
  CHECK(flows() == 1);
  CHECK(status(0).health == server_health::error);
  list(who);
  CHECK(got.tools() == strings{"other"}); // not the tools of a connection that is gone
  call(who, "c", "one");
  CHECK(got.outcomes.back().error == errc::server_unavailable);
  advance(999ms);
  CHECK(mcp.links.size() == 2);
  advance(1ms);
  REQUIRE(mcp.links.size() == 3);
  shake_hands(*this, link("one"), {"echo"});
  crash_connection("one");
  advance(1999ms);
  CHECK(mcp.links.size() == 3);
  advance(1ms);
  CHECK(mcp.links.size() == 4);
  CHECK(ends->empty());
}

TEST_CASE_METHOD(mcp_hub_fixture, "a connection that crashes before it was connected has settled",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one"});
  list(caller(got));
  CHECK(got.snapshots.empty());
  crash_connection("one");
  CHECK(got.snapshots.size() == 1);
}

TEST_CASE_METHOD(mcp_hub_fixture, "disconnect waits for running calls, then closes every server",
                 "[actors][mcp_hub]") {
  heard got;
  open({"one", "two"});
  shake_hands(*this, link("one"), {"echo"});
  shake_hands(*this, link("two"), {"echo"});
  auto who = caller(got);
  call(who, "a", "one");
  auto pending = self->request(hub, caf::infinite, atom::disconnect_v);
  run();
  CHECK_FALSE(link("one").closing);
  call(who, "b", "two"); // no new ones
  REQUIRE(got.outcomes.size() == 1);
  CHECK(got.outcomes[0].error == errc::server_unavailable);
  link("one").result(link("one").last("tools/call").request_id, tool_answer("done"));
  run();
  CHECK(got.outcomes.size() == 2);
  CHECK(link("one").closing);
  CHECK(link("two").closing);
  call(who, "c", "two");
  link("one").signal(mcp_signal::closed);
  run();
  CHECK(self->mailbox().empty());
  link("two").signal(mcp_signal::closed);
  run();
  bool answered = false;
  pending.receive([&](atom::done) { answered = true; }, [](caf::error&) {});
  CHECK(answered);
  ask<atom::done>(hub, atom::disconnect_v);
  advance(1min);
  CHECK(mcp.links.size() == 2);
}

TEST_CASE_METHOD(mcp_hub_fixture,
                 "a server that does not close does not hold disconnect up for ever",
                 "[actors][mcp_hub]") {
  open({"one"});
  auto pending = self->request(hub, caf::infinite, atom::disconnect_v);
  run();
  advance(8s);
  bool answered = false;
  pending.receive([&](atom::done) { answered = true; }, [](caf::error&) {});
  CHECK(answered);
}

TEST_CASE_METHOD(mcp_hub_fixture, "a hub without servers lists nothing and disconnects at once",
                 "[actors][mcp_hub]") {
  heard got;
  open({});
  list(caller(got));
  REQUIRE(got.snapshots.size() == 1);
  CHECK(got.tools().empty());
  ask<atom::done>(hub, atom::settled_v);
  ask<atom::done>(hub, atom::disconnect_v);
  CHECK(flows() == 0);
}

TEST_CASE_METHOD(mcp_hub_fixture, "the end of the hub ends its connections", "[actors][mcp_hub]") {
  open({"one"});
  shake_hands(*this, link("one"), {"echo"});
  crash(*this, hub);
  CHECK(link("one").destroyed);
  CHECK(ends->size() == 1);
}

TEST_CASE_METHOD(mcp_hub_fixture, "after ten minutes of health a crash counts as the first one",
                 "[actors][mcp_hub]") {
  open_connected({"one"});
  crash_connection("one");
  advance(1s);
  shake_hands(*this, link("one"), {"echo"});
  advance(10min);
  crash_connection("one");
  auto before = mcp.links.size();
  advance(1s);
  CHECK(mcp.links.size() == before + 1);
}

TEST_CASE_METHOD(mcp_hub_fixture, "the end of an actor that is no server's leaves the hub alone",
                 "[actors][mcp_hub]") {
  open_connected({"one"});
  auto stranger = sys.spawn([](caf::event_based_actor*) {});
  caf::anon_send(caf::actor_cast<caf::actor>(hub),
                 caf::exit_msg{stranger.address(), caf::make_error(errc::internal)});
  run();
  CHECK(ends->empty());
  CHECK(status(0).health == server_health::success);
}

namespace {

/// A resource store that only writes down what it is told.
struct recorded_store {
  std::vector<forget_resources> forgotten;
  size_t cleared = 0;
};

resource_store_actor::behavior_type record(recorded_store& into) {
  return {[](const read_resource&) { return mcp_answer{}; },
          [&into](const forget_resources& what) { into.forgotten.push_back(what); },
          [](const add_attachment&) { return attachment{}; },
          [](const remove_attachment&) { return failure{}; },
          [](const list_attachments&) { return attachment_list{}; },
          [&into](atom::clear) {
            ++into.cleared;
            return atom::done_v;
          },
          [](atom::expire, const std::string&) {}};
}

class with_store : public mcp_hub_fixture {
public:
  ~with_store() { sys.registry().erase(resource_store_name); }

  void open_store() {
    auto made = sys.spawn([this](resource_store_actor::pointer) { return record(store); });
    callers.push_back(caf::actor_cast<caf::actor>(made));
    sys.registry().put(resource_store_name, caf::actor_cast<caf::strong_actor_ptr>(made));
  }

  /// As the supervisor does: the hub runs when the store has been started, too.
  void open_both() {
    settings.port = &mcp;
    parent = make_parent(*this, ends, [this](caf::local_actor& self_) {
      hub = spawn_mcp_hub(self_, settings);
      open_store();
    });
    run();
  }

  tool_snapshot list_for(const std::string& session) {
    heard got;
    caf::send_as(caller(got), hub, list_tools{false, {}, session});
    run();
    return got.snapshots.at(0);
  }

  recorded_store store;
};

} // namespace

TEST_CASE_METHOD(with_store, "disconnect makes the resource store forget, once all are closed",
                 "[actors][mcp_hub]") {
  open_connected({"one"});
  open_store();
  auto asked = ask_later<atom::done>(*this, hub, atom::disconnect_v);
  CHECK(store.cleared == 0);
  closed("one");
  CHECK(store.cleared == 1);
  CHECK(asked->answers.size() == 1);
  CHECK(status(0).phase == server_phase::disconnected);
  CHECK(status(0).offered->tools.empty());
}

TEST_CASE_METHOD(with_store, "what may have changed while a server was away is forgotten",
                 "[actors][mcp_hub]") {
  open({"one"});
  open_store();
  shake_hands(*this, link("one"), {"echo"});
  closed("one");
  advance(1s);
  store.forgotten.clear();
  shake_hands(*this, link("one"), {"echo"});
  REQUIRE(store.forgotten.size() == 1);
  CHECK(store.forgotten[0].server == "one");
  CHECK(store.forgotten[0].uri.empty());
  self->send(hub, mcp_event{"resourceUpdated", "one", {R"({"server":"one","uri":"a:b"})"}});
  run();
  REQUIRE(store.forgotten.size() == 2);
  CHECK(store.forgotten[1].uri == "a:b");
  change("one", server_verb::remove);
  CHECK(store.forgotten.size() == 3);
}

TEST_CASE_METHOD(with_store, "what may have changed while a session was lost is forgotten",
                 "[actors][mcp_hub]") {
  open({"one"});
  open_store();
  shake_hands(*this, link("one"), {"echo"});
  link("one").signal(mcp_signal::closed, errc::server_session_lost);
  run();
  CHECK(status(0).health == server_health::success); // nobody sees that it is gone
  store.forgotten.clear();
  advance(1s);
  shake_hands(*this, link("one"), {"echo"});
  REQUIRE(store.forgotten.size() == 1);
  CHECK(store.forgotten[0].server == "one");
  CHECK(store.forgotten[0].uri.empty());
}

TEST_CASE_METHOD(with_store, "a snapshot says whether its chat has attachments",
                 "[actors][mcp_hub]") {
  open({});
  self->send(hub, attachment_news{"s", true});
  CHECK(list_for("s").has_attachments);
  CHECK_FALSE(list_for("t").has_attachments);
  CHECK_FALSE(list_for("").has_attachments);
  self->send(hub, attachment_news{"s", false});
  CHECK_FALSE(list_for("s").has_attachments);
}

TEST_CASE_METHOD(with_store, "a hub that succeeds another cannot rule attachments out",
                 "[actors][mcp_hub]") {
  open_store();
  open({});
  CHECK(list_for("s").has_attachments);
  CHECK_FALSE(list_for("").has_attachments);
}

TEST_CASE_METHOD(with_store, "the first hub rules attachments out from its start on",
                 "[actors][mcp_hub]") {
  open_both();
  CHECK_FALSE(list_for("s").has_attachments);
}

} // namespace mcp_hub_end_test

// Copies of whole stores, between all kinds of databases.
#include "transport/store/store_copy.hpp"

#include <algorithm>
#include <stdexcept>

#include "messages/chat/session_id.hpp"
#include "tests/transport/store/change_asks.hpp"
#include "tests/transport/store/long_chats.hpp"
#include "tests/transport/store/store_kinds.hpp"
#include "transport/store/stored_json.hpp"

namespace store_copy_test {

using namespace troupe;
using namespace troupe::test;

namespace {

class silent_watcher : public copy_watcher {
public:
  void went_on(const copy_report&) override {
    if (++pieces == ends_after)
      throw std::runtime_error{"broken off"};
  }
  void left_out(const std::string& owner, const std::string& id, const failure& why) override {
    said += owner + "/" + id + ": " + to_string(why.code) + "\n";
  }

  int pieces = 0;
  int ends_after = 0; ///< 0: never
  std::string said;
};

/// Copies, and returns what was done.
copy_report copied(store_connection& from, store_connection& to, bool adds = false) {
  silent_watcher watcher;
  copy_report out;
  const auto error = copy_store({from, to, "the source", adds}, watcher, out);
  INFO(error.text() << watcher.said);
  REQUIRE_FALSE(error);
  return out;
}

turn_record turn_of(const std::string& id, turn_state state) {
  turn_record out;
  out.turn_id = id;
  out.message_id = "m-" + id;
  out.state = state;
  out.model = "model";
  out.started_ms = 5;
  out.ended_ms = state == turn_state::running ? 0 : 1'763'683'200'000; // 2025-11-21
  out.used = {1, 2, 3, 4, 5};
  return out;
}

/// Keeps a chat with a turn that is counted.
void keep_counted(store_connection& in, const std::string& id, const std::string& text) {
  auto ask = saving(id, {said(role::user, text, "u"), said(role::assistant, "yes", "m-t")});
  ask.turn = turn_of("t", turn_state::ended);
  ask.report.turn_id = "t";
  ask.report.model = "model";
  ask.report.requests.resize(2);
  for (auto& each : ask.report.requests) {
    each.model = "model";
    each.used = {7, 8, 9, 10, 11};
  }
  save(in, ask);
}

/// Keeps a resumable turn that was cut off, and a call that waits for approval.
void keep_cut_off(store_connection& in, const std::string& id) {
  auto ask = long_chat(id, 3);
  ask.more.back().tool_calls.front().approval.id = "ask-1";
  ask.events.front().session_id = id;
  save(in, ask);
}

/// Keeps something of every kind.
void fill(store_connection& in) {
  const auto eves = scoped_id("eve", "c");
  keep_counted(in, "a", "first\xff");
  keep_counted(in, eves, std::string("with a \0 zero", 13));
  keep_cut_off(in, scoped_id("eve", "cut"));
  REQUIRE_FALSE(do_change(in, importing("long", many)));
  for (int i = 0; i < 70; ++i)
    save(in, saving("s" + std::to_string(i), {said(role::user, "short")}));
  auto ask = changing("a", conversation_verb::override);
  ask.overrides = {"fast", true, {"files"}};
  REQUIRE_FALSE(do_change(in, ask));
  REQUIRE_FALSE(do_change(in, branching("a", "copy")));
  uint64_t interrupted = 0;
  REQUIRE_FALSE(in.close_running_turns(interrupted));
  REQUIRE(interrupted == 1);
  keep_counted(in, "gone", "is removed");
  REQUIRE_FALSE(do_change(in, changing("gone", conversation_verb::remove)));
  REQUIRE_FALSE(in.put(setting{"mcpServers/files", "{}"}));
  REQUIRE_FALSE(in.put(api_key{"k1", "eve", "laptop", "00ff", true, 60, 4, 11, 0}));
  REQUIRE_FALSE(in.put(api_key{"k2", "adam", "", "11", false, 0, 0, 10, 12}));
  tidy_up(in);
}

std::string shown_chat(store_connection& in, const std::string& id) {
  auto out = to_json(in.get({id}).found);
  const auto record = in.load({id});
  out += stored::text_of(record.last_turn);
  for (const auto& each : record.events)
    out += stored::text_of(each);
  return out;
}

/// Returns all that a store has, as a text.
std::string shown(store_connection& in) {
  std::string out;
  auto owners = in.owners({}).owners;
  std::sort(owners.begin(), owners.end());
  for (const auto& owner : owners) {
    const auto used = in.used({owner, {}, {}});
    out += "owner " + owner + to_json(used.kept) + "\n";
    for (const auto& each : used.rows)
      out += to_json(each) + "\n";
    for (const auto& each : in.list({owner, 1000, {}}).conversations)
      out += shown_chat(in, scoped_id(owner, each.id)) + "\n";
  }
  for (const auto& each : in.settings({}).settings)
    out += each.key + each.value + "\n";
  for (const auto& each : in.keys({true}).keys)
    out += to_json(each) + "\n";
  return out;
}

} // namespace

/// Opens two stores, of every pair of kinds: `store`, and `other`.
#define TROUPE_EACH_PAIR                                                                           \
  const auto other_kind = GENERATE(from_range(kinds_with(&store_kind::is_database)));              \
  INFO("the other one of the kind: " << other_kind.name);                                          \
  const auto other_tested = other_kind.make();                                                     \
  TROUPE_EACH_DATABASE;                                                                            \
  auto& other = other_tested->open()

TEST_CASE("a copy has what the source has, and so does the copy of a copy",
          "[transport][store_copy]") {
  TROUPE_EACH_PAIR;
  fill(store);
  const auto before = shown(store);
  const auto done = copied(store, other);
  CHECK(shown(other) == before);
  CHECK(done.copied == 75);
  CHECK(done.owners == 2);
  CHECK(done.usage_rows == 2);
  CHECK(done.keys == 2);
  CHECK(done.settings == 1);
  CHECK(done.there + done.replaced + done.removed + done.left_out == 0);
  CHECK(shown(store) == before);
  const auto third = kind.make();
  copied(other, third->open());
  CHECK(shown(*third->store) == before);
  CHECK(third->store->search({"", "999", 20, {}}).hits.size() == 1);
}

TEST_CASE("a copied chat goes on, in front of the others", "[transport][store_copy]") {
  TROUPE_EACH_PAIR;
  fill(store);
  copied(store, other);
  auto ask = saving("s3", {said(role::user, "more")}, 1);
  ask.turn = turn_of("later", turn_state::ended);
  save(other, ask);
  CHECK(other.list({"", 1, {}}).conversations.front().id == "s3");
  CHECK(other.get({"s3"}).found.turns.back().turn_id == "later");
  ask = saving("a", {}, 2); // the answer of its last save was lost
  ask.turn = turn_of("t", turn_state::ended);
  ask.report.turn_id = "t";
  ask.report.model = "model";
  save(other, ask);
  CHECK(other.used({"", {}, {}}).rows.front().turns == 2); // that of "gone", too
}

TEST_CASE("a copy that was broken off goes on, with what has changed since",
          "[transport][store_copy]") {
  TROUPE_EACH_PAIR;
  fill(store);
  silent_watcher watcher;
  watcher.ends_after = GENERATE(1, 2, 3);
  copy_report begun;
  CHECK_THROWS(copy_store({store, other, "the source", false}, watcher, begun));
  CHECK(unfinished_copy(other, "the target").code == errc::store_failed);
  auto& again = other_tested->open();
  CHECK(unfinished_copy(again, "the target").code == errc::store_failed);

  save(store, saving("s3", {said(role::user, "more")}, 1));
  keep_counted(store, "new", "later");
  REQUIRE_FALSE(do_change(store, changing("s5", conversation_verb::remove)));
  REQUIRE_FALSE(store.put(setting{"mcpServers/files", {}}));
  REQUIRE_FALSE(store.put(api_key{"k1", "eve", "laptop", "00ff", true, 60, 4, 11, 13}));
  const auto done = copied(store, again);
  CHECK(shown(again) == shown(store));
  CHECK(done.copied + done.there == 75);
  CHECK_FALSE(unfinished_copy(again, "the target"));
}

TEST_CASE("a target that has something is left alone", "[transport][store_copy]") {
  TROUPE_EACH_PAIR;
  fill(store);
  save(other, saving("other", {said(role::user, "mine")}));
  const auto before = shown(other);
  silent_watcher watcher;
  copy_report done;
  CHECK(copy_store({store, other, "the source", false}, watcher, done).code ==
        errc::request_invalid);
  CHECK(shown(other) == before);
  CHECK_FALSE(unfinished_copy(other, "the target"));
}

TEST_CASE("what a target has stays when a copy is added", "[transport][store_copy]") {
  TROUPE_EACH_PAIR;
  fill(store);
  save(other, saving("a", {said(role::user, "mine")}));
  keep_counted(other, "b", "mine");
  REQUIRE_FALSE(other.put(setting{"mcpServers/files", "{\"mine\":1}"}));
  REQUIRE_FALSE(other.put(api_key{"k1", "mine", "", "22", false, 0, 0, 1, 0}));
  silent_watcher watcher;
  copy_report done;
  REQUIRE_FALSE(copy_store({store, other, "the source", true}, watcher, done));
  CHECK(watcher.said == "/a: conversation_exists\n");
  CHECK(done.left_out == 1);
  CHECK(done.copied == 74);
  CHECK(done.usage_rows == 1);
  CHECK(done.keys == 1);
  CHECK(done.settings == 0);
  CHECK(other.get({"a"}).found.messages.front().message.text == "mine");
  CHECK(other.used({"", {}, {}}).rows.front().turns == 1);
  CHECK(other.settings({}).settings.front().value == "{\"mine\":1}");
  CHECK(other.keys({true}).keys.front().owner == "mine");
  CHECK_FALSE(unfinished_copy(other, "the target"));
  const auto twice = copied(store, other, true);
  CHECK(twice.there == 74);
  CHECK(twice.copied + twice.usage_rows + twice.keys == 0);
}

TEST_CASE("a turn that ran is interrupted in the copy", "[transport][store_copy]") {
  TROUPE_EACH_PAIR;
  keep_cut_off(store, "cut");
  copied(store, other);
  const auto record = other.load({"cut"});
  CHECK(record.last_turn.state == turn_state::interrupted);
  CHECK(record.last_turn.error.code == errc::server_restarted);
  CHECK(record.events.size() == 1);
  CHECK(record.history.back().tool_calls.front().approval.id == "ask-1");
  uint64_t interrupted = 0;
  REQUIRE_FALSE(other.close_running_turns(interrupted));
  CHECK(interrupted == 0);
}

TEST_CASE("a part of one copy takes no other, and may be used as it is",
          "[transport][store_copy]") {
  TROUPE_EACH_PAIR;
  fill(store);
  silent_watcher watcher;
  watcher.ends_after = 2;
  copy_report done;
  CHECK_THROWS(copy_store({store, other, "another source", false}, watcher, done));
  silent_watcher second;
  auto error = copy_store({store, other, "the source", true}, second, done);
  CHECK(error.code == errc::request_invalid);
  CHECK(error.message.find("another source") != std::string::npos);
  const auto third = other_kind.make();
  error = copy_store({other, third->open(), "half a store", false}, second, done);
  CHECK(error.code == errc::request_invalid);
  REQUIRE_FALSE(accept_copy(other));
  CHECK_FALSE(unfinished_copy(other, "the target"));
}

TEST_CASE("a chat that cannot be read is left out, and the copy is not whole",
          "[transport][store_copy]") {
  const auto to = GENERATE(from_range(kinds_with(&store_kind::is_database)));
  const auto target = to.make();
  data_folder from;
  auto& store = from.open();
  keep_counted(store, "good", "a");
  keep_counted(store, "bad", "b");
  from.sql("UPDATE messages SET body = '{' WHERE text = 'b'");
  auto& other = target->open();
  silent_watcher watcher;
  copy_report done;
  REQUIRE_FALSE(copy_store({store, other, "the source", false}, watcher, done));
  CHECK(watcher.said == "/bad: conversation_unknown\n");
  CHECK(done.copied == 1);
  CHECK(done.left_out == 1);
  CHECK(unfinished_copy(other, "the target").code == errc::store_failed);
  from.sql("UPDATE messages SET body = '{}' WHERE text = 'b'");
  CHECK(copied(store, other).copied == 1);
  CHECK_FALSE(unfinished_copy(other, "the target"));
}

} // namespace store_copy_test

#include "tests/actors/store/conversation_store_fixture.hpp"

namespace conversation_store_test {

using namespace troupe;
using namespace troupe::test;

using ids = std::vector<std::string>;

TEST_CASE_METHOD(conversation_store_fixture,
                 "a save is answered when it was committed, with its number",
                 "[actors][conversation_store]") {
  open();
  disk.at_commit = [this] { CHECK(answers.empty()); };
  auto answer = save("a", "hello");
  CHECK_FALSE(answer.error);
  CHECK(answer.session_id == "a");
  CHECK(answer.number == number);
  CHECK(answer.version == 1);
  REQUIRE(disk.at("a").messages.size() == 1);
  CHECK(disk.at("a").messages[0].message.text == "hello");
  disk.at_commit = nullptr;
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "saves that wait together share one commit, in their order",
                 "[actors][conversation_store]") {
  open();
  for (const auto* each : {"a", "b", "c", "a"})
    send(save_of(each, "hi"));
  run();
  CHECK(disk.commits == std::vector<ids>{{"a", "b", "c", "a"}});
  std::vector<uint64_t> numbers;
  for (const auto& each : answers)
    numbers.push_back(each.number);
  CHECK(numbers == std::vector<uint64_t>{1, 2, 3, 4});
  CHECK(status().saves == 4);
  CHECK(status().commits == 1);
  CHECK(status().largest_commit == 4);
}

TEST_CASE_METHOD(conversation_store_fixture, "no commit has more saves than it may",
                 "[actors][conversation_store]") {
  config.max_saves = 3;
  open();
  for (int i = 0; i < 8; ++i)
    send(save_of("a", "hi"));
  run();
  std::vector<size_t> sizes;
  for (const auto& each : disk.commits)
    sizes.push_back(each.size());
  CHECK(sizes == std::vector<size_t>{3, 3, 2});
  CHECK(answers.size() == 8);
}

TEST_CASE_METHOD(conversation_store_fixture, "a commit comes when the longest delay is over",
                 "[actors][conversation_store]") {
  config.max_delay = 0ms;
  open();
  for (int i = 0; i < 3; ++i)
    send(save_of("a", "hi"));
  run();
  CHECK(disk.commits.size() == 3);
}

TEST_CASE_METHOD(conversation_store_fixture, "what is loaded was committed before",
                 "[actors][conversation_store]") {
  open();
  send(save_of("a", "hello"));
  send(load_chat{"a"});
  send(save_of("b", "hi"));
  send(load_chat{"c"});
  disk.committing = {errc::store_read_only, ""};
  run();
  REQUIRE(records.size() == 2);
  CHECK(records[0].session_id == "a");
  CHECK(records[0].version == 0); // it could not be kept
  CHECK(records[1].session_id == "c");
  disk.committing = {};
  advance(one_second);
  save("a", "hello");
  CHECK(load("a").history.size() == 1);
}

TEST_CASE_METHOD(conversation_store_fixture, "loading another chat does not end a transaction",
                 "[actors][conversation_store]") {
  open();
  send(save_of("a", "hi"));
  send(load_chat{"b"});
  send(save_of("c", "hi"));
  run();
  CHECK(disk.commits == std::vector<ids>{{"a", "c"}});
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "what is brought to a new chat is kept before the answer",
                 "[actors][conversation_store]") {
  open();
  auto first = save_of("a", "hello");
  first.turn.turn_id = "t1";
  disk.at_commit = [this] { CHECK(records.empty()); };
  send(load_chat{"a", first});
  send(save_of("b", "hi"));
  run();
  disk.at_commit = nullptr;
  CHECK(disk.commits == std::vector<ids>{{"a", "b"}});
  REQUIRE(records.size() == 1);
  CHECK(records[0].version == 1);
  CHECK(records[0].kept_turn == "t1");
  CHECK(records[0].history.empty());
  CHECK(load("a").history.size() == 1);
  first.more[0].text = "something else";
  send(load_chat{"a", first});
  run();
  CHECK(records.back().kept_turn.empty());
  CHECK(records.back().history[0].text == "hello");
  CHECK(load("a").history.size() == 1);
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "what is brought and cannot be kept leaves the chat new",
                 "[actors][conversation_store]") {
  open();
  auto first = save_of("a", "hello");
  first.turn.turn_id = "t1";
  disk.committing = {errc::store_full, ""};
  send(load_chat{"a", first});
  run();
  REQUIRE(records.size() == 1);
  CHECK_FALSE(records[0].error);
  CHECK(records[0].version == 0);
  CHECK(records[0].kept_turn.empty());
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "a save that was changed by others is answered so, and the rest "
                 "of its commit stands",
                 "[actors][conversation_store]") {
  disk.put("b", chat_of({"hi"}));
  open();
  send(save_of("a", "hi"));
  auto stale = save_of("b", "late");
  stale.if_version = 7;
  send(stale);
  run();
  CHECK(errors() == std::vector<errc>{errc::none, errc::conversation_changed});
  CHECK(answers[1].version == 1);
  CHECK(disk.at("b").messages.size() == 1);
  CHECK_FALSE(status().error);
  CHECK(status().failures == 0);
}

TEST_CASE_METHOD(conversation_store_fixture, "a save that fails by itself fails alone",
                 "[actors][conversation_store]") {
  open();
  disk.poisoned = "bad";
  for (const auto* each : {"a", "bad", "b"})
    send(save_of(each, "hi"));
  run();
  CHECK(errors() == std::vector<errc>{errc::none, errc::store_failed, errc::none});
  CHECK(disk.at("a").messages.size() == 1);
  CHECK(disk.at("b").messages.size() == 1);
  CHECK(disk.at("bad").messages.empty());
  CHECK_FALSE(status().error);
  CHECK(status().failures == 1);
  CHECK(log->lines("save_failed").size() == 1);
  save("bad"); // now it is the only one of its commit
  CHECK(answers.back().error.code == errc::store_failed);
  CHECK_FALSE(status().error);
}

TEST_CASE_METHOD(conversation_store_fixture, "failures of single saves are logged once a second",
                 "[actors][conversation_store]") {
  open();
  disk.poisoned = "bad";
  for (int i = 0; i < 5; ++i)
    save("bad");
  CHECK(log->lines("save_failed").size() == 1);
  advance(one_second);
  save("bad");
  REQUIRE(log->lines("save_failed").size() == 2);
  CHECK(log->lines("save_failed")[1].members.find(R"("failures":5)") != std::string::npos);
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "a failing commit answers every save in it with the reason",
                 "[actors][conversation_store]") {
  auto why =
      GENERATE(errc::store_full, errc::store_read_only, errc::store_locked, errc::store_damaged);
  open();
  disk.committing = {why, "no"};
  for (const auto* each : {"a", "b"})
    send(save_of(each, "hi"));
  run();
  CHECK(errors() == std::vector<errc>{why, why});
  CHECK(answers[1].number == 2);
  CHECK(status().error.code == why);
  CHECK(status().failures == 2);
  CHECK(disk.at("a").messages.empty());
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "while writing fails, saves fail at once and nothing is tried",
                 "[actors][conversation_store]") {
  open();
  disk.saving = {errc::store_full, "no space"};
  disk.probing = disk.saving;
  save("a");
  auto begun = disk.begins;
  CHECK(save("b").error.message == "no space");
  CHECK(disk.begins == begun);
  CHECK(load("a").error.code == errc::none); // reading goes on
}

TEST_CASE_METHOD(conversation_store_fixture, "writing is probed each second until it works again",
                 "[actors][conversation_store]") {
  open();
  disk.beginning = {errc::store_full, "no space"};
  disk.probing = disk.beginning;
  save("a");
  for (int i = 1; i <= 3; ++i) {
    advance(one_second);
    CHECK(disk.probes == static_cast<size_t>(i));
    CHECK(status().error.code == errc::store_full);
  }
  disk.beginning = disk.probing = {};
  advance(one_second);
  CHECK_FALSE(status().error);
  CHECK_FALSE(save("a").error);
  REQUIRE(log->lines("store").size() == 2);
  CHECK(log->lines("store")[0].level == log_level::error);
  CHECK(log->lines("store")[0].members ==
        R"("state":"failing","path":"memory","error":"store_full","message":"no space")");
  CHECK(log->lines("store")[1].members == R"("state":"recovered","path":"memory")");
  auto probes = disk.probes;
  advance(5 * one_second);
  CHECK(disk.probes == probes);
}

TEST_CASE_METHOD(conversation_store_fixture, "without an answer to give nobody gets one",
                 "[actors][conversation_store]") {
  open();
  caf::anon_send(store, save_of("a", "hi"));
  caf::anon_send(store, load_chat{"a"});
  run();
  CHECK(disk.at("a").messages.size() == 1);
  CHECK(answers.empty());
  CHECK(records.empty());
}

// -- what else is written ------------------------------------------------------------------------

TEST_CASE_METHOD(conversation_store_fixture, "changes, settings and keys share commits with saves",
                 "[actors][conversation_store]") {
  disk.put("a", chat_of({"hi"}));
  open();
  change_conversation rename;
  rename.session_id = "a";
  rename.title = "new";
  auto changing = self->request(store, caf::infinite, rename);
  auto setting_it = self->request(store, caf::infinite, setting{"mcpServers/x", "{}"});
  auto keying = self->request(store, caf::infinite, api_key{"k", "o", "", "", false, 0, 0, 0, 0});
  run();
  changing.receive([](const info_answer& got) { CHECK(got.info.title == "new"); },
                   [](const caf::error&) { FAIL("no answer"); });
  setting_it.receive([](const failure& got) { CHECK_FALSE(got); },
                     [](const caf::error&) { FAIL("no answer"); });
  keying.receive([](const failure& got) { CHECK_FALSE(got); },
                 [](const caf::error&) { FAIL("no answer"); });
  CHECK(disk.commits == std::vector<ids>{{"a", "", ""}});
  auto list = ask<setting_list>(store, list_settings{"mcpServers/"});
  REQUIRE(list.settings.size() == 1);
  CHECK(list.settings[0].value == "{}");
  CHECK(disk.data.keys.at("k").owner == "o");
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "a change of a conversation that is not there changes nothing",
                 "[actors][conversation_store]") {
  open();
  change_conversation remove;
  remove.session_id = "a";
  remove.verb = conversation_verb::remove;
  CHECK(ask<info_answer>(store, remove).error.code == errc::conversation_unknown);
  CHECK_FALSE(status().error);
}

TEST_CASE_METHOD(conversation_store_fixture,
                 "a failing store answers changes, settings and keys, too",
                 "[actors][conversation_store]") {
  open();
  disk.changing = {errc::store_read_only, ""};
  CHECK(ask<failure>(store, setting{"a", "1"}).code == errc::store_read_only);
  CHECK(ask<failure>(store, api_key{}).code == errc::store_read_only);
  CHECK(ask<info_answer>(store, change_conversation{}).error.code == errc::store_read_only);
}

TEST_CASE_METHOD(conversation_store_fixture, "a drained store has committed what came before",
                 "[actors][conversation_store]") {
  open();
  send(save_of("a", "hi"));
  ask<atom::done>(store, atom::drain_v);
  CHECK(disk.at("a").messages.size() == 1);
  CHECK(answers.size() == 1);
}

} // namespace conversation_store_test

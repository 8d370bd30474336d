#include "tests/actors/resources/resource_fixture.hpp"

namespace resource_attachments_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(resource_fixture,
                 "an attachment is answered at once and told to the hub when it is loaded",
                 "[actors][resource_store]") {
  server_status one;
  one.name = "one";
  one.resources = frozen<server_resources>{{{{"x", "The X", "", "", "text/x", 0, {}}}, {}}};
  notes->servers.servers.push_back(one);
  open();
  auto made = add("x");
  CHECK(made.loading);
  CHECK(made.id.starts_with("res-"));
  CHECK(news() == strings{"s some"});
  CHECK(notes->kinds() == strings{"attachment"});
  answer(0, text("hello"));
  REQUIRE(notes->kinds() == strings{"attachment", "attachment"});
  CHECK(notes->events[1].server == "one");
  CHECK(notes->events[1].data.text ==
        R"({"sessionId":"s","id":")" + made.id +
            R"(","server":"one","uri":"x","name":"The X","mimeType":"text/x","loading":false,)" +
            R"("error":"","textBytes":5})");
  REQUIRE(list().attachments.size() == 1);
  CHECK(list().attachments[0].text == "hello");
  CHECK(add("x").id == made.id);
  CHECK(news().size() == 1);
}

TEST_CASE_METHOD(resource_fixture, "what is in the cache is attached without a request",
                 "[actors][resource_store]") {
  open();
  read("x");
  answer(0, text("hello"));
  add("x");
  CHECK(notes->asks.size() == 1);
  CHECK(list().attachments.at(0).text == "hello");
}

TEST_CASE_METHOD(resource_fixture, "what a server says about a failure may be for readers only",
                 "[actors][resource_store]") {
  resource_store_config settings;
  settings.error_details = false;
  open(settings);
  add("x");
  const auto reading = read("x");
  const std::string inner = "cannot reach 10.1.2.3";
  answer(0, {{errc::server_lost, inner}, {}});
  REQUIRE(reading->size() == 1);
  CHECK(reading->at(0).error.message == inner); // who reads decides who sees it
  REQUIRE(list().attachments.size() == 1);
  CHECK(list().attachments[0].error == user_text(errc::server_lost));
}

TEST_CASE_METHOD(resource_fixture, "taking waits for what is loading, and clears",
                 "[actors][resource_store]") {
  open();
  add("x");
  add("y");
  auto got = consume("s");
  answer(0, text("X"));
  CHECK(got->empty());
  answer(1, {{errc::server_refused, "gone"}, {}});
  REQUIRE(got->size() == 1);
  const auto& all = got->at(0).attachments;
  REQUIRE(all.size() == 2);
  CHECK(all[0].text == "X");
  CHECK(all[1].error == "gone");
  CHECK(news() == strings{"s some", "s none"});
  CHECK(list().attachments.empty());
  auto again = consume("s");
  REQUIRE(again->size() == 1);
  CHECK(again->at(0).attachments.empty());
}

TEST_CASE_METHOD(resource_fixture, "taking waits at most 10 seconds", "[actors][resource_store]") {
  open();
  add("x");
  auto got = consume("s");
  advance(9999ms);
  CHECK(got->empty());
  advance(1ms);
  REQUIRE(got->size() == 1);
  CHECK(got->at(0).attachments.at(0).error == "The MCP server did not send it in time.");
  answer(0, text("late"));
  CHECK(list().attachments.empty());
}

TEST_CASE_METHOD(resource_fixture, "the end of an earlier wait does not cut a later one short",
                 "[actors][resource_store]") {
  open();
  add("x");
  consume("s");
  answer(0, text("X"));
  advance(5s);
  add("y");
  auto got = consume("s");
  advance(6s);
  CHECK(got->empty());
  advance(4s);
  CHECK(got->size() == 1);
}

TEST_CASE_METHOD(resource_fixture, "of two that take at once, one gets the attachments",
                 "[actors][resource_store]") {
  open();
  add("x");
  auto first = consume("s");
  auto second = consume("s");
  answer(0, text("X"));
  CHECK(first->at(0).attachments.size() == 1);
  CHECK(second->at(0).attachments.empty());
}

TEST_CASE_METHOD(resource_fixture, "removing what loads lets those who wait go on",
                 "[actors][resource_store]") {
  open();
  auto made = add("x");
  auto got = consume("s");
  CHECK(ask<failure>(store, remove_attachment{"s", "nope"}).code == errc::not_found);
  CHECK_FALSE(ask<failure>(store, remove_attachment{"s", made.id}));
  REQUIRE(got->size() == 1);
  CHECK(got->at(0).attachments.empty());
  CHECK(news() == strings{"s some", "s none"});
  CHECK(notes->events.back().kind == "attachmentRemoved");
  CHECK(notes->events.back().data.text == R"({"sessionId":"s","id":")" + made.id + "\"}");
}

TEST_CASE_METHOD(resource_fixture, "what is attached is read again when it changes, once at a time",
                 "[actors][resource_store]") {
  open();
  add("x");
  add("y");
  answer(0, text("X1"));
  answer(1, text("Y1"));
  for (int i = 0; i < 100; ++i)
    self->send(store, forget_resources{"one", "x"});
  run();
  REQUIRE(notes->asks.size() == 3);
  auto got = consume("s");
  CHECK(got->empty());
  answer(2, text("X2"));
  CHECK(got->empty()); // it had changed after the request
  REQUIRE(notes->asks.size() == 4);
  answer(3, text("X3"));
  CHECK(notes->asks.size() == 4);
  REQUIRE(got->size() == 1);
  CHECK(got->at(0).attachments.at(0).text == "X3");
}

TEST_CASE_METHOD(resource_fixture, "without a hub an attachment has an error, and nothing waits",
                 "[actors][resource_store]") {
  sys.registry().erase(mcp_hub_name);
  open();
  CHECK(add("x").loading);
  auto got = consume("s");
  REQUIRE(got->size() == 1);
  CHECK_FALSE(got->at(0).attachments.at(0).error.empty());
}

TEST_CASE_METHOD(resource_fixture, "a new hub is told of the chats that have attachments",
                 "[actors][resource_store]") {
  open();
  add("x", "s");
  add("x", "t");
  add("x", "u");
  consume("u");
  answer(0, text("X"));
  sys.registry().erase(mcp_hub_name);
  crash(*this, hub);
  advance(1s);
  notes->news.clear();
  hub = start_fake_hub(*this, notes);
  advance(250ms);
  CHECK(news() == strings{"s some", "t some"});
}

TEST_CASE_METHOD(resource_fixture,
                 "chats that lose their attachments to a bound are told to the hub",
                 "[actors][resource_store]") {
  resource_store_config limits;
  limits.attached.chats = 1;
  open(limits);
  add("x", "s");
  auto waiting = consume("s");
  add("x", "t");
  CHECK(news() == strings{"s some", "t some", "s none"});
  REQUIRE(waiting->size() == 1);
  CHECK(waiting->at(0).attachments.empty());
}

TEST_CASE_METHOD(resource_fixture,
                 "to clear forgets contents and attachments and answers who waits",
                 "[actors][resource_store]") {
  open();
  read("y");
  answer(0, text("Y"));
  add("x");
  auto taking = consume("s");
  auto reading = read("z");
  ask<atom::done>(store, atom::clear_v);
  REQUIRE(taking->size() == 1);
  REQUIRE(reading->size() == 1);
  CHECK(reading->at(0).error.code == errc::server_unavailable);
  CHECK(list().attachments.empty());
  CHECK(news() == strings{"s some", "s none"});
  auto asked = notes->asks.size();
  read("y");
  CHECK(notes->asks.size() == asked + 1);
}

} // namespace resource_attachments_test

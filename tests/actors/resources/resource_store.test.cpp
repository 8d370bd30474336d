#include "tests/actors/resources/resource_fixture.hpp"

namespace resource_store_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE_METHOD(resource_fixture,
                 "readers of the same resource share one request, and later ones the cache",
                 "[actors][resource_store]") {
  open();
  auto first = read("x");
  auto second = read("x");
  auto other = read("y");
  REQUIRE(notes->asks.size() == 2);
  CHECK(notes->asks[0].what.method == "resources/read");
  CHECK(notes->asks[0].what.server == "one");
  CHECK(notes->asks[0].what.params.text == R"({"uri":"x"})");
  answer(0, text("hello"));
  REQUIRE(first->size() == 1);
  REQUIRE(second->size() == 1);
  CHECK(first->at(0).result.text == text("hello").result.text);
  CHECK(other->empty());
  auto third = read("x");
  REQUIRE(third->size() == 1);
  CHECK(third->at(0).result.text == text("hello").result.text);
  CHECK(notes->asks.size() == 2);
}

TEST_CASE_METHOD(resource_fixture, "a failure is not kept", "[actors][resource_store]") {
  open();
  auto first = read("x");
  answer(0, {{errc::server_refused, "no such file"}, {}});
  CHECK(first->at(0).error.code == errc::server_refused);
  read("x");
  CHECK(notes->asks.size() == 2);
}

TEST_CASE_METHOD(resource_fixture,
                 "contents are read again when they are old, and when that is asked for",
                 "[actors][resource_store]") {
  resource_store_config limits;
  limits.cache_ttl = 1000ms;
  open(limits);
  read("x");
  answer(0, text("1"));
  SECTION("old") {
    advance(1000ms);
    read("x");
    CHECK(notes->asks.size() == 1);
    advance(1ms);
    read("x");
    CHECK(notes->asks.size() == 2);
  }
  SECTION("asked for") {
    auto fresh = read("x", true);
    REQUIRE(notes->asks.size() == 2);
    answer(1, text("2"));
    CHECK(fresh->at(0).result.text == text("2").result.text);
    CHECK(read("x")->at(0).result.text == text("2").result.text);
  }
}

TEST_CASE_METHOD(resource_fixture,
                 "what changes while it is read is read once more for those who ask later",
                 "[actors][resource_store]") {
  open();
  auto before = read("x");
  self->send(store, forget_resources{"one", "x"});
  self->send(store, forget_resources{"one", ""});
  self->send(store, forget_resources{"two", ""});
  run();
  auto after = read("x");
  CHECK(notes->asks.size() == 1);
  answer(0, text("old"));
  CHECK(before->at(0).result.text == text("old").result.text);
  CHECK(after->empty());
  REQUIRE(notes->asks.size() == 2);
  answer(1, text("new"));
  CHECK(after->at(0).result.text == text("new").result.text);
  CHECK(read("x")->at(0).result.text == text("new").result.text);
}

TEST_CASE_METHOD(resource_fixture,
                 "without a hub a read fails at once, and when the hub ends it fails then",
                 "[actors][resource_store]") {
  open();
  SECTION("without a hub") {
    sys.registry().erase(mcp_hub_name);
    auto got = read("x");
    REQUIRE(got->size() == 1);
    CHECK(got->at(0).error.code == errc::server_unavailable);
  }
  SECTION("when it ends") {
    auto got = read("x");
    CHECK(got->empty());
    sys.registry().erase(mcp_hub_name);
    crash(*this, hub);
    REQUIRE(got->size() == 1);
    CHECK(got->at(0).error.code == errc::server_unavailable);
    start_fake_hub(*this, notes);
    read("x");
    CHECK(notes->asks.size() == 2);
  }
  SECTION("when it has ended and is still registered") {
    crash(*this, hub);
    auto got = read("x");
    REQUIRE(got->size() == 1);
    CHECK(got->at(0).error.code == errc::server_unavailable);
  }
}

} // namespace resource_store_test

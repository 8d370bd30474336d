#include "actors/supervisor.hpp"

#include <string>

#include "actors/registry.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/kept_log.hpp"

namespace supervisor_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr auto first_name = caf::atom("first");
constexpr auto second_name = caf::atom("second");

/// A supervisor over two children that note how often they were started and in which order they
/// ended.
class two_children : public deterministic {
public:
  ~two_children() {
    if (top)
      crash(*this, top);
    top = nullptr;
  }

  void open(restart_intensity intensity = {}) {
    top = spawn_supervisor(sys, {child("first", first_name), child("second", second_name)},
                           intensity, log);
    top->attach_functor([this](const caf::error& why) { reason = why; });
    run();
  }

  caf::actor find(caf::atom_value name) { return whereis<caf::actor>(sys, name); }

  void kill(caf::atom_value name) {
    auto whom = find(name);
    REQUIRE(whom);
    crash(*this, whom, caf::exit_reason::unhandled_exception);
  }

  std::shared_ptr<kept_log> log = std::make_shared<kept_log>();
  caf::actor top;
  std::vector<std::string> started;
  std::vector<std::string> ended;
  caf::error reason;

private:
  child_spec child(const std::string& label, caf::atom_value name) {
    return {name, [this, label](caf::local_actor& parent) {
              started.push_back(label);
              auto made = parent.spawn<caf::linked>(
                  [](caf::event_based_actor*) -> caf::behavior { return {[](atom::tick) {}}; });
              made->attach_functor([this, label] { ended.push_back(label); });
              return caf::actor_cast<caf::strong_actor_ptr>(made);
            }};
  }
};

using strings = std::vector<std::string>;

} // namespace

TEST_CASE_METHOD(two_children, "children are started in order and registered",
                 "[actors][supervisor]") {
  open();
  CHECK(started == strings{"first", "second"});
  CHECK(find(first_name));
  CHECK(find(second_name));
  CHECK(ask<atom::done>(top, atom::status_v) == atom::done_v);
}

TEST_CASE_METHOD(two_children, "a child that crashes is started again after the delay",
                 "[actors][supervisor]") {
  open();
  auto before = find(first_name);
  kill(first_name);
  CHECK_FALSE(find(first_name)); // nobody finds the dead one
  advance(49ms);
  CHECK(started.size() == 2);
  advance(1ms);
  CHECK(started == strings{"first", "second", "first"});
  REQUIRE(find(first_name));
  CHECK(find(first_name) != before);
  CHECK(ended == strings{"first"}); // the other one goes on
}

TEST_CASE_METHOD(two_children, "each crash is logged as an error, an orderly stop is not",
                 "[actors][supervisor]") {
  open({1, 10s, 50ms});
  kill(first_name);
  advance(50ms);
  auto lines = log->lines("crash");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].level == log_level::error);
  CHECK(lines[0].members.find(R"("actor":"first","restarting":true,"reason":")") == 0);
  SECTION("nor are the children that end with it") {
    kill(second_name);
    lines = log->lines("crash");
    REQUIRE(lines.size() == 2);
    CHECK(lines[1].members.find(R"("actor":"second","restarting":false)") == 0);
  }
  SECTION("a stop") {
    caf::anon_send_exit(top, caf::exit_reason::user_shutdown);
    run();
    CHECK(log->lines("crash").size() == 1);
  }
}

TEST_CASE_METHOD(two_children, "a child that was told to end is no crash and stays away",
                 "[actors][supervisor]") {
  open();
  crash(*this, find(first_name), caf::exit_reason::user_shutdown);
  advance(1min);
  CHECK(started.size() == 2);
  CHECK_FALSE(find(first_name));
  CHECK(find(second_name));
  CHECK(log->lines("crash").empty());
}

TEST_CASE_METHOD(two_children, "the delay doubles with each restart within the period",
                 "[actors][supervisor]") {
  open({5, 10s, 100ms});
  for (auto delay : {100ms, 200ms, 400ms}) {
    kill(first_name);
    advance(delay - 1ms);
    CHECK_FALSE(find(first_name));
    advance(1ms);
    CHECK(find(first_name));
  }
  advance(11s);
  kill(first_name);
  advance(100ms);
  CHECK(find(first_name));
}

TEST_CASE_METHOD(two_children, "more restarts than the intensity allows end everything",
                 "[actors][supervisor]") {
  open({2, 10s, 50ms});
  for (int i = 0; i < 2; ++i) {
    kill(second_name);
    advance(1s);
  }
  CHECK(find(second_name));
  kill(second_name);
  CHECK(ended == strings{"second", "second", "second", "first"});
  CHECK(reason == caf::exit_reason::unhandled_exception);
  CHECK_FALSE(find(first_name));
  CHECK_FALSE(find(second_name));
  advance(1min);
  CHECK(started.size() == 4);
}

TEST_CASE_METHOD(two_children, "an orderly stop ends the children, the last one first",
                 "[actors][supervisor]") {
  open();
  caf::anon_send_exit(top, caf::exit_reason::user_shutdown);
  run();
  CHECK(ended == strings{"second", "first"});
  CHECK(reason == caf::exit_reason::user_shutdown);
  CHECK_FALSE(find(first_name));
}

TEST_CASE_METHOD(two_children, "a stop while a child waits for its restart is obeyed",
                 "[actors][supervisor]") {
  open();
  kill(first_name);
  SECTION("from the outside") {
    caf::anon_send_exit(top, caf::exit_reason::user_shutdown);
  }
  SECTION("from nobody") {
    caf::anon_send(top, caf::exit_msg{nullptr, caf::exit_reason::user_shutdown});
  }
  run();
  CHECK(reason == caf::exit_reason::user_shutdown);
  advance(1min);
  CHECK(started.size() == 2);
}

} // namespace supervisor_test

#include "actors/session/turn_log.hpp"

#include "messages/interfaces/type_ids.hpp"
#include "tests/support/catch.hpp"

namespace turn_log_test {

using namespace troupe;

namespace {

const event_batch& batch_of(const caf::message& read) {
  return read.get_as<event_batch>(0);
}

/// What every event of the log says, with its number, read in pieces of so many.
std::vector<std::string> all(const turn_log& log, uint64_t from, size_t most) {
  std::vector<std::string> out;
  while (from <= log.last_seq()) {
    auto read = log.read(from, most);
    const auto& batch = batch_of(read);
    REQUIRE(batch.first_seq == from);
    REQUIRE_FALSE(batch.events.empty());
    REQUIRE(batch.events.size() <= most);
    for (const auto& each : batch.events) {
      std::string text{name_of(each)};
      if (const auto* piece = std::get_if<text_delta>(&each))
        text += ' ' + piece->text;
      if (const auto* piece = std::get_if<reasoning_delta>(&each))
        text += ' ' + piece->text;
      if (const auto* piece = std::get_if<tool_args_delta>(&each))
        text += ' ' + piece->tool_call_id + ' ' + piece->delta;
      out.push_back(std::to_string(from++) + ' ' + text);
    }
  }
  return out;
}

void add(turn_log& log, std::vector<event> what) {
  log.append(what);
}

/// A log with batches of every kind; empty pieces and long ones among them.
turn_log mixed() {
  turn_log log{"s", "t"};
  add(log, {session_start{"m"}});
  add(log, {text_delta{"a"}, reasoning_delta{"b"}});
  add(log, {tool_args_delta{"call", std::string(300, 'x')}});
  add(log, {text_delta{"c"}, tool_args_complete{"call", "echo", {"{}"}, false, errc::none, "", {}},
            text_delta{"d"}});
  add(log, {text_delta{std::string(20'000, 'y')}});
  add(log, {text_delta{"e"}});
  add(log, {session_end{}});
  return log;
}

} // namespace

TEST_CASE("a log gives back what was appended, from every place and in every piece",
          "[actors][turn_log]") {
  auto log = mixed();
  CHECK(log.first_seq() == 1);
  CHECK(log.last_seq() == 10);
  auto whole = all(log, 1, 100);
  REQUIRE(whole.size() == 10);
  CHECK(whole[0] == "1 SESSION_START");
  CHECK(whole[2] == "3 REASONING b");
  CHECK(whole[3] == "4 TOOL_ARGS_DELTA call " + std::string(300, 'x'));
  CHECK(whole[7] == "8 TEXT " + std::string(20'000, 'y'));
  CHECK(whole[9] == "10 SESSION_END");
  for (uint64_t from = 1; from <= 10; ++from)
    for (size_t most = 1; most <= 4; ++most)
      CHECK(all(log, from, most) ==
            std::vector<std::string>(whole.begin() + static_cast<long>(from) - 1, whole.end()));
}

TEST_CASE("batches keep their bounds and their times", "[actors][turn_log]") {
  auto log = mixed();
  auto at = [&](uint64_t seq) { return log.read(seq, 100); };
  CHECK(batch_of(at(2)).events.size() == 2);
  CHECK(batch_of(at(3)).events.size() == 1);
  CHECK(batch_of(at(5)).events.size() == 3);
  CHECK(batch_of(at(2)).time_us == batch_of(at(3)).time_us);
  auto last = batch_of(at(1)).time_us;
  for (uint64_t seq = 2; seq <= 10; ++seq) {
    CHECK(batch_of(at(seq)).time_us >= last);
    last = batch_of(at(seq)).time_us;
  }
  CHECK(batch_of(at(10)).session_id == "s");
  CHECK(batch_of(at(10)).turn_id == "t");
}

TEST_CASE("what is no piece of text is kept once for all who read it", "[actors][turn_log]") {
  auto log = mixed();
  auto one = log.read(5, 100);
  auto two = log.read(5, 100);
  CHECK(&batch_of(one) == &batch_of(two));
}

TEST_CASE("a piece of text costs little more than its bytes", "[actors][turn_log]") {
  turn_log log{"s", "t"};
  for (int i = 0; i < 10'000; ++i)
    add(log, {text_delta{"12345"}});
  CHECK(log.bytes() >= 10'000 * 5);
  CHECK(log.bytes() <= 10'000 * 14);
  CHECK(all(log, 1, 1000).size() == 10'000);
}

TEST_CASE("a log forgets its oldest events, but none that are needed", "[actors][turn_log]") {
  turn_log log{"s", "t"};
  for (int i = 0; i < 10'000; ++i)
    add(log, {text_delta{std::to_string(i)}});
  auto before = log.bytes();
  log.trim(5000, 0);
  CHECK(log.first_seq() > 4000);
  CHECK(log.first_seq() <= 5000);
  CHECK(log.bytes() < before * 2 / 3);
  CHECK(all(log, log.first_seq(), 100).back() == "10000 TEXT 9999");
  log.trim(10'001, 1'000'000);
  CHECK(log.first_seq() <= 5000); // there was room
  log.trim(10'001, 0);
  CHECK(log.first_seq() == 10'001);
  CHECK(log.bytes() == 0);
  add(log, {text_delta{"more"}});
  CHECK(all(log, 10'001, 1) == std::vector<std::string>{"10001 TEXT more"});
}

TEST_CASE("a log that is restored says the same, packed, and its times do not go back",
          "[actors][turn_log]") {
  auto log = mixed();
  turn_log again{"s", "t"};
  for (uint64_t seq = 1; seq <= log.last_seq();) {
    auto batch = batch_of(log.read(seq, 100));
    seq += batch.events.size();
    batch.time_us = 1'000'000'000 - static_cast<int64_t>(seq);
    again.restore(std::move(batch));
  }
  CHECK(all(again, 1, 100) == all(log, 1, 100));
  CHECK(again.bytes() <= log.bytes() + 1000); // pieces of text between others are packed, too
  int64_t last = 0;
  for (uint64_t seq = 1; seq <= again.last_seq(); ++seq) {
    CHECK(batch_of(again.read(seq, 100)).time_us >= last);
    last = batch_of(again.read(seq, 100)).time_us;
  }
}

TEST_CASE("a log can begin with any number", "[actors][turn_log]") {
  turn_log log{"s", "t", 71};
  CHECK(log.first_seq() == 71);
  CHECK(log.last_seq() == 70);
  add(log, {text_delta{"a"}});
  add(log, {session_end{}});
  CHECK(all(log, 71, 1) == std::vector<std::string>{"71 TEXT a", "72 SESSION_END"});
}

TEST_CASE("the newest events of a log are a batch with its ids, number and time",
          "[actors][turn_log]") {
  auto log = mixed();
  std::vector<event> more{text_delta{"f"}, text_delta{"g"}};
  log.append(more);
  const auto last = log.last_seq();
  auto& newest = log.newest(std::move(more));
  CHECK(newest.session_id == "s");
  CHECK(newest.turn_id == "t");
  CHECK(newest.first_seq == last - 1);
  CHECK(newest.time_us == batch_of(log.read(last, 1)).time_us);
  REQUIRE(newest.events.size() == 2);
  CHECK(std::get<text_delta>(newest.events[1]).text == "g");
  newest.events.clear();
  CHECK(all(log, last, 1) == std::vector<std::string>{std::to_string(last) + " TEXT g"});
}

} // namespace turn_log_test

// The checks that all fixtures of a provider have to pass.
#include <algorithm>
#include <map>
#include <set>

#include "tests/messages/wire/provider/answer_fixtures.hpp"

namespace troupe::test {

namespace {

/// Returns whether each call is opened once, filled while it is open, and closed once.
bool calls_are_closed(const decoded_body& answer) {
  std::map<std::string, int> calls; // 1: open, 2: closed
  auto sound = !answer.end.error || answer.end.reason == finish_reason::error;
  for (const auto& each : answer.events) {
    if (const auto* start = std::get_if<tool_args_start>(&each))
      sound = sound && ++calls[start->tool_call_id] == 1;
    else if (const auto* delta = std::get_if<tool_args_delta>(&each))
      sound = sound && calls[delta->tool_call_id] == 1;
    else if (const auto* done = std::get_if<tool_args_complete>(&each))
      sound = sound && ++calls[done->tool_call_id] == 2;
  }
  return sound && std::ranges::all_of(calls, [](const auto& each) { return each.second == 2; });
}

} // namespace

void check_quirk_rows(const answer_fixtures& corpus, size_t rows) {
  std::set<std::string> known;
  for (const auto& each : corpus.all())
    known.insert(each.name);
  const auto found = corpus.quirk_rows();
  CHECK(found.size() == rows);
  for (const auto& row : found) {
    CHECK_FALSE(row.empty());
    for (const auto& name : row) {
      INFO("fixture " << name);
      CHECK(known.contains(name));
    }
  }
}

void check_fixtures(const answer_fixtures& corpus) {
  for (const auto& each : corpus.all()) {
    INFO("fixture " << each.name);
    CHECK(body_lines(decode_body(corpus.provider(), each.frame, {each.body})) == each.lines);
    for (size_t bytes : {1, 3, 7}) {
      INFO("in pieces of " << bytes);
      auto pieces = pieces_of_body(each.body, bytes);
      CHECK(body_lines(decode_body(corpus.provider(), each.frame, pieces)) == each.lines);
    }
    const std::string_view bytes = each.body;
    for (size_t at = 0; at <= bytes.size(); ++at) {
      auto lines = body_lines(
          decode_body(corpus.provider(), each.frame, {bytes.substr(0, at), bytes.substr(at)}));
      if (lines != each.lines) {
        INFO("cut at byte " << at);
        CHECK(lines == each.lines);
        break;
      }
    }
  }
}

void for_each_broken_fixture(const answer_fixtures& corpus,
                             const std::function<bool(const decoded_body&)>& visit) {
  for (const auto& each : corpus.all())
    for (size_t at = 0; at <= each.body.size(); ++at) {
      const auto answer =
          decode_body(corpus.provider(), each.frame, {std::string_view{each.body}.substr(0, at)});
      if (calls_are_closed(answer) && visit(answer))
        continue;
      INFO("fixture " << each.name << " broken off at byte " << at);
      CHECK(body_lines(answer).empty());
      break;
    }
}

} // namespace troupe::test

// Every recorded quirk of a chat-completions server gives the events of the clean stream, however
// the network cuts the bytes.
#include "tests/messages/wire/openai_chat/openai_fixtures.hpp"

#include <map>
#include <set>

namespace openai_fixtures_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// The rows of fixtures/openai/README.md: "| quirk | `fixture`, `fixture` |".
std::vector<std::vector<std::string>> quirk_rows() {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in{read_fixture("README.md")};
  for (std::string line; std::getline(in, line);) {
    auto column = line.rfind(" | ");
    if (!line.starts_with("| ") || column == std::string::npos || line.starts_with("| quirk"))
      continue;
    auto& names = rows.emplace_back();
    std::istringstream cells{line.substr(column)};
    for (std::string name; std::getline(cells, name, '`') && std::getline(cells, name, '`');)
      names.push_back(name);
  }
  return rows;
}

} // namespace

TEST_CASE("the corpus of model answers is there", "[messages][openai_chat]") {
  CHECK(fixture_names().size() >= 130);
}

TEST_CASE("each of the 57 known quirks has its fixtures", "[messages][openai_chat]") {
  auto names = fixture_names();
  std::set<std::string> known(names.begin(), names.end());
  auto rows = quirk_rows();
  CHECK(rows.size() == 57);
  for (const auto& row : rows) {
    CHECK_FALSE(row.empty());
    for (const auto& name : row) {
      INFO("fixture " << name);
      CHECK(known.count(name) == 1);
    }
  }
}

TEST_CASE("each quirk of a model server gives the events of the clean answer",
          "[messages][openai_chat]") {
  for (const auto& name : fixture_names()) {
    INFO("fixture " << name);
    auto body = read_fixture(name + ".sse");
    auto expected = read_expectation(name);
    CHECK(as_lines(decode(expected, {body})) == expected.lines);
  }
}

TEST_CASE("the events of an answer do not depend on where the network cuts it in two",
          "[messages][openai_chat]") {
  for (const auto& name : fixture_names()) {
    INFO("fixture " << name);
    auto body = read_fixture(name + ".sse");
    auto expected = read_expectation(name);
    std::string_view bytes = body;
    for (size_t at = 0; at <= bytes.size(); ++at) {
      auto lines = as_lines(decode(expected, {bytes.substr(0, at), bytes.substr(at)}));
      if (lines != expected.lines) {
        INFO("cut at byte " << at);
        CHECK(lines == expected.lines);
        break;
      }
    }
  }
}

TEST_CASE("an answer that comes byte by byte gives the same events", "[messages][openai_chat]") {
  for (const auto& name : fixture_names()) {
    INFO("fixture " << name);
    auto body = read_fixture(name + ".sse");
    auto expected = read_expectation(name);
    std::vector<std::string_view> pieces;
    for (size_t at = 0; at < body.size(); ++at)
      pieces.push_back(std::string_view{body}.substr(at, 1));
    CHECK(as_lines(decode(expected, pieces)) == expected.lines);
  }
}

TEST_CASE("an answer that breaks off anywhere closes what it opened, and ends once",
          "[messages][openai_chat]") {
  for (const auto& name : fixture_names()) {
    INFO("fixture " << name);
    auto body = read_fixture(name + ".sse");
    auto expected = read_expectation(name);
    for (size_t at = 0; at <= body.size(); ++at) {
      auto answer = decode(expected, {std::string_view{body}.substr(0, at)});
      std::map<std::string, int> calls; // 1: open, 2: closed
      bool sound = answer.end.error ? answer.end.reason == finish_reason::error : true;
      for (const auto& each : answer.events) {
        if (const auto* start = std::get_if<tool_args_start>(&each))
          sound = sound && ++calls[start->tool_call_id] == 1;
        else if (const auto* delta = std::get_if<tool_args_delta>(&each))
          sound = sound && calls[delta->tool_call_id] == 1;
        else if (const auto* done = std::get_if<tool_args_complete>(&each))
          sound = sound && ++calls[done->tool_call_id] == 2;
      }
      for (const auto& [id, state] : calls)
        sound = sound && state == 2;
      if (!sound) {
        INFO("cut at byte " << at);
        CHECK(as_lines(answer).empty());
        break;
      }
    }
  }
}

} // namespace openai_fixtures_test

// Fixtures of a provider: tests/messages/fixtures/<provider>/<name>.sse, .ndjson or .json is a
// body, <name>.expect what it means:
//   HEAD <status> <content type> [<retry-after>]   200 and the type of the body's ending if missing
//   CUT <error> <text>                             what broke the transfer
//   SAME <name>                                    the events of another fixture
//   <EVENT> <json> | METADATA <json> | END <reason> <usage> | FAILURE <error> <text> | RETRY <s>
// README.md there has a row for each quirk: | quirk | `fixture`, `fixture` |
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "tests/messages/wire/provider/decoded_body.hpp"

namespace troupe::test {

/// One body of the corpus, and the lines that it means.
struct answer_fixture {
  std::string name;
  std::string body;
  body_frame frame;
  std::vector<std::string> lines;
};

/// The corpus of one provider.
class answer_fixtures {
public:
  explicit answer_fixtures(std::string provider)
      : provider_{std::move(provider)}, folder_{std::filesystem::path{TROUPE_TEST_FOLDER} /
                                                "messages" / "fixtures" / provider_} {
    for (const auto& each : std::filesystem::directory_iterator{folder_})
      if (each.path().extension() != ".expect" && each.path().extension() != ".md")
        all_.push_back(read(each.path()));
    std::ranges::sort(all_, {}, &answer_fixture::name);
  }

  const std::string& provider() const { return provider_; }
  const std::vector<answer_fixture>& all() const { return all_; }

  /// Returns the names in the last column of the README's table, row by row.
  std::vector<std::vector<std::string>> quirk_rows() const {
    std::vector<std::vector<std::string>> rows;
    std::istringstream in{file("README.md")};
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

private:
  std::string file(const std::filesystem::path& name) const {
    INFO("fixture " << name);
    std::ifstream in{folder_ / name, std::ios::binary};
    REQUIRE(in.good());
    return {std::istreambuf_iterator<char>{in}, {}};
  }

  answer_fixture read(const std::filesystem::path& path) const {
    answer_fixture made;
    made.name = path.stem();
    made.body = file(path.filename());
    if (path.extension() == ".json")
      made.frame.content_type = "application/json";
    else if (path.extension() == ".ndjson")
      made.frame.content_type = "application/x-ndjson";
    read_expectation(made.name, made);
    return made;
  }

  void read_expectation(const std::string& name, answer_fixture& into) const {
    std::istringstream in{file(name + ".expect")};
    for (std::string line; std::getline(in, line);) {
      std::istringstream words{line};
      std::string first;
      words >> first;
      if (first == "HEAD") {
        words >> into.frame.status >> into.frame.content_type >> into.frame.retry_after;
      } else if (first == "CUT") {
        words >> first;
        into.frame.cut.code = errc_from(first);
        std::getline(words >> std::ws, into.frame.cut.message);
      } else if (first == "SAME") {
        words >> first;
        answer_fixture other;
        read_expectation(first, other);
        into.lines = std::move(other.lines);
      } else {
        into.lines.push_back(line);
      }
    }
  }

  std::string provider_;
  std::filesystem::path folder_;
  std::vector<answer_fixture> all_;
};

/// Checks that each row of the README names fixtures that are there.
inline void check_quirk_rows(const answer_fixtures& corpus, size_t rows) {
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

/// Checks the events of each fixture: whole, in pieces of 1, 3 and 7 bytes, and cut in two at every
/// byte.
inline void check_fixtures(const answer_fixtures& corpus) {
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

/// Returns whether each call is opened once, filled while it is open, and closed once.
inline bool calls_are_closed(const decoded_body& answer) {
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

/// Shows what each fixture gives when it breaks off, at every byte; checks that its calls are
/// closed.
template <class Visit>
void for_each_broken_fixture(const answer_fixtures& corpus, const Visit& visit) {
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

// The recorded answers of chat-completions servers. fixtures/openai/<name>.sse is a body,
// <name>.expect what it means:
//   HEAD <status> <content type> [<retry-after>]   200 text/event-stream if missing
//   CUT <error> <text>                             what broke the transfer
//   SAME <name>                                    the events of another fixture
//   <EVENT> <json> | METADATA <json> | END <reason> <usage> | FAILURE <error> <text>
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "messages/json.hpp"
#include "messages/wire/providers.hpp"
#include "tests/support/catch.hpp"

namespace troupe::test {

inline std::filesystem::path fixture_folder() {
  return std::filesystem::path{TROUPE_TEST_FOLDER} / "messages" / "fixtures" / "openai";
}

struct expectation {
  uint16_t status = 200;
  std::string content_type = "text/event-stream";
  std::string retry_after;
  failure cut;
  std::vector<std::string> lines;
};

inline std::string read_fixture(const std::string& file) {
  std::ifstream in{fixture_folder() / file, std::ios::binary};
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>{in}, {}};
}

inline expectation read_expectation(const std::string& name) {
  expectation result;
  std::istringstream in{read_fixture(name + ".expect")};
  for (std::string line; std::getline(in, line);) {
    std::istringstream words{line};
    std::string first;
    words >> first;
    if (first == "HEAD") {
      words >> result.status >> result.content_type >> result.retry_after;
    } else if (first == "CUT") {
      words >> first;
      result.cut.code = errc_from(first);
      std::getline(words >> std::ws, result.cut.message);
    } else if (first == "SAME") {
      words >> first;
      result.lines = read_expectation(first).lines;
    } else {
      result.lines.push_back(line);
    }
  }
  return result;
}

inline std::vector<std::string> fixture_names() {
  std::vector<std::string> names;
  for (const auto& each : std::filesystem::directory_iterator{fixture_folder()})
    if (each.path().extension() == ".sse")
      names.push_back(each.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

/// What a decoder made of a body.
struct decoded_answer {
  std::vector<event> events;
  model_end end;
};

/// Decodes pieces that each lie in memory of their own, so that a sanitizer sees a byte too far.
inline decoded_answer decode(const expectation& expected,
                             const std::vector<std::string_view>& pieces) {
  auto decoder = find_provider("openai")->make_decoder({}, "made-");
  decoder->head(expected.status, expected.content_type, expected.retry_after);
  decoded_answer answer;
  for (auto piece : pieces) {
    std::vector<char> copy(piece.begin(), piece.end());
    answer.end = decoder->feed({copy.data(), copy.size()}, answer.events);
  }
  if (!answer.end.over)
    answer.end = decoder->finish(expected.cut, answer.events);
  CHECK(answer.end.over);
  return answer;
}

inline std::string as_line(const event& what) {
  constexpr std::string_view no_metadata = R"(,"providerMetadata":null)";
  auto json = std::visit([](const auto& each) { return to_json(each); }, what);
  if (auto at = json.find(no_metadata); at != std::string::npos)
    json.erase(at, no_metadata.size());
  return std::string{name_of(what)} + " " + json;
}

inline std::vector<std::string> as_lines(const decoded_answer& answer) {
  std::vector<std::string> lines;
  for (const auto& each : answer.events)
    lines.push_back(as_line(each));
  const auto& [over, finished, reason, used, raw, metadata, error, retry, goes_on] = answer.end;
  if (!metadata.empty())
    lines.push_back("METADATA " + metadata);
  if (error)
    lines.push_back("FAILURE " + to_string(error.code) + " " + error.text());
  else
    lines.push_back(fmt::format("END {} input={} output={} total={} reasoning={} cached={}",
                                to_string(reason), used.input_tokens, used.output_tokens,
                                used.total_tokens, used.reasoning_tokens,
                                used.cached_input_tokens));
  return lines;
}

} // namespace troupe::test

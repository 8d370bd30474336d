// Every recorded quirk of a chat-completions server gives the events of the clean stream, however
// the network cuts the bytes. fixtures/openai/<name>.sse is a body, <name>.expect what it means:
//   HEAD <status> <content type> [<retry-after>]   200 text/event-stream if missing
//   CUT <error> <text>                             what broke the transfer
//   SAME <name>                                    the events of another fixture
//   <EVENT> <json> | END <reason> <usage> | FAILURE <error> <text>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "messages/json.hpp"
#include "messages/wire/provider.hpp"
#include "tests/support/catch.hpp"

using namespace troupe;

namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path{TROUPE_TEST_FOLDER} / "messages" / "fixtures" / "openai";

struct expectation {
  uint16_t status = 200;
  std::string content_type = "text/event-stream";
  std::string retry_after;
  failure cut;
  std::vector<std::string> lines;
};

std::string read_file(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>{in}, {}};
}

expectation read_expectation(const std::string& name) {
  expectation result;
  std::istringstream in{read_file(folder / (name + ".expect"))};
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

std::vector<std::string> as_lines(const std::vector<event>& events, const model_end& end) {
  std::vector<std::string> lines;
  for (const auto& each : events)
    lines.push_back(std::string{name_of(each)} + " " +
                    std::visit([](const auto& what) { return to_json(what); }, each));
  if (end.error)
    lines.push_back("FAILURE " + to_string(end.error.code) + " " + end.error.text());
  else
    lines.push_back(fmt::format("END {} input={} output={} total={} reasoning={} cached={}",
                                to_string(end.reason), end.used.input_tokens,
                                end.used.output_tokens, end.used.total_tokens,
                                end.used.reasoning_tokens, end.used.cached_input_tokens));
  return lines;
}

/// Decodes pieces that each lie in memory of their own, so that a sanitizer sees a byte too far.
std::vector<std::string> decode(const expectation& expected,
                                const std::vector<std::string_view>& pieces) {
  auto decoder = find_provider("openai")->make_decoder("made-");
  decoder->head(expected.status, expected.content_type, expected.retry_after);
  std::vector<event> events;
  model_end end;
  for (auto piece : pieces) {
    std::vector<char> copy(piece.begin(), piece.end());
    end = decoder->feed({copy.data(), copy.size()}, events);
  }
  if (!end.over)
    end = decoder->finish(expected.cut, events);
  CHECK(end.over);
  return as_lines(events, end);
}

std::vector<std::string> fixture_names() {
  std::vector<std::string> names;
  for (const auto& each : fs::directory_iterator{folder})
    if (each.path().extension() == ".sse")
      names.push_back(each.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace

TEST_CASE("the corpus of model answers is there", "[messages][openai_chat]") {
  CHECK(fixture_names().size() >= 90);
}

TEST_CASE("each quirk of a model server gives the events of the clean answer",
          "[messages][openai_chat]") {
  for (const auto& name : fixture_names()) {
    INFO("fixture " << name);
    auto body = read_file(folder / (name + ".sse"));
    auto expected = read_expectation(name);
    CHECK(decode(expected, {body}) == expected.lines);
  }
}

TEST_CASE("the events of an answer do not depend on where the network cuts it in two",
          "[messages][openai_chat]") {
  for (const auto& name : fixture_names()) {
    INFO("fixture " << name);
    auto body = read_file(folder / (name + ".sse"));
    auto expected = read_expectation(name);
    std::string_view bytes = body;
    for (size_t at = 0; at <= bytes.size(); ++at) {
      auto lines = decode(expected, {bytes.substr(0, at), bytes.substr(at)});
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
    auto body = read_file(folder / (name + ".sse"));
    auto expected = read_expectation(name);
    std::vector<std::string_view> pieces;
    for (size_t at = 0; at < body.size(); ++at)
      pieces.push_back(std::string_view{body}.substr(at, 1));
    CHECK(decode(expected, pieces) == expected.lines);
  }
}

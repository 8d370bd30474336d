// Every recorded answer of a model, broken off at every byte in every way, leaves a history that
// strict providers take.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "actors/turn/history.hpp"
#include "actors/turn/turn.hpp"
#include "messages/wire/providers.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/history_rules.hpp"
#include "tests/support/request_rules.hpp"

namespace turn_fixtures_test {

using namespace troupe;
using namespace troupe::test;

namespace {

namespace fs = std::filesystem;

struct fixture_file {
  std::string name;
  std::string body;
  std::string type{"text/event-stream"};
  uint16_t status = 200;
};

std::string read_file(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::vector<fixture_file> all_fixtures() {
  std::vector<fixture_file> files;
  for (const auto& each :
       fs::directory_iterator{fs::path{TROUPE_TEST_FOLDER} / "messages" / "fixtures" / "openai"}) {
    if (each.path().extension() != ".sse")
      continue;
    auto& made = files.emplace_back();
    made.name = each.path().stem();
    made.body = read_file(each.path());
    auto expect = each.path();
    std::ifstream in{expect.replace_extension(".expect")};
    for (std::string word; in >> word;)
      if (word == "HEAD")
        in >> made.status >> made.type;
  }
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

/// How an answer ends before it should.
enum class broken { aborted, cut, failed_in_tools, aborted_in_tools };

/// Plays one prefix of an answer as a turn that breaks off.
class broken_turn {
public:
  broken_turn() {
    history.push_back({role::user, "hi", {}, {}, {}});
    request.session_id = "s";
    request.turn_id = "t";
    tool_set made;
    made.tools = {{"get_time", "", "{}", "", ""}, {"get_weather", "", "{}", "one", "weather"}};
    tools = frozen<tool_set>{std::move(made)};
  }

  /// Returns what is wrong with the history afterwards.
  std::string play(const fixture_file& file, size_t bytes, broken how) {
    history.resize(1);
    turn played{request, limits, history, [] { return turn::time_point{}; }};
    played.begin();
    played.tools_ready(tools);
    auto decoder = find_provider("openai")->make_decoder({}, "made-");
    decoder->head(file.status, file.type, "");
    model_output output;
    auto end = decoder->feed(std::string_view{file.body}.substr(0, bytes), output.events);
    if (!end.over && how != broken::aborted)
      end = decoder->finish({errc::connection_cut, ""}, output.events);
    output.over = end.over;
    output.reason = end.reason;
    output.error = end.error.code;
    output.provider_metadata = end.provider_metadata;
    played.on_model(output);
    return problem(played, interrupt(played, how));
  }

  std::vector<chat_message> history;

private:
  /// Returns whether the turn was over before it was broken off: the client may have calls to run.
  static bool interrupt(turn& played, broken how) {
    if (how == broken::failed_in_tools)
      for (const auto& id : played.running_calls())
        played.on_tool_outcome({id, errc::server_lost, "lost", {}});
    auto was_over = played.over();
    if (how == broken::cut)
      played.fail({errc::model_stream_cut, ""});
    else
      played.abort("client");
    return was_over;
  }

  /// As it stands, and as the next turn's request has it.
  std::string problem(const turn& played, bool waits) {
    if (!played.over())
      return "the turn is not over";
    if (!waits || open_calls(history).empty())
      if (auto fault = anthropic_fault(history); !fault.empty())
        return fault;
    repair_history(history);
    if (auto fault = anthropic_fault(history); !fault.empty())
      return fault;
    history.push_back({role::user, "go on", {}, {}, {}});
    auto body = find_provider("openai")->make_request({model, history}).body;
    return openai_body_fault(body);
  }

  turn_request request;
  turn_limits limits;
  frozen<tool_set> tools;
  model_config model;
};

/// A sanitized build takes six times as long: it breaks off at each seventh byte.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t step = 7;
#else
constexpr size_t step = 1;
#endif

/// Breaks off each fourth recorded answer, from `first` on, at every byte: all of them take
/// minutes.
void break_off_answers(size_t first) {
  broken_turn world;
  size_t with_calls = 0;
  size_t with_text = 0;
  const auto files = all_fixtures();
  CHECK(files.size() >= 200);
  constexpr broken ways[] = {broken::aborted, broken::cut, broken::failed_in_tools,
                             broken::aborted_in_tools};
  for (size_t i = first; i < files.size(); i += 4)
    for (size_t bytes = 0; bytes <= files[i].body.size(); bytes += step) {
      // Events come every hundred bytes or so: each state of a turn breaks off in each way.
      auto problem = world.play(files[i], bytes, ways[bytes % 4]);
      if (!problem.empty())
        FAIL(files[i].name << ", " << bytes << " bytes: " << problem);
      with_calls += world.history.size() > 1 && !world.history[1].tool_calls.empty() ? 1 : 0;
      with_text += world.history.size() > 1 && !world.history[1].text.empty() ? 1 : 0;
    }
  CHECK(with_calls > 1000 / step);
  CHECK(with_text > 1000 / step);
}

} // namespace

TEST_CASE("every prefix of a recorded answer, broken off, leaves a history that is accepted: 1",
          "[actors][turn]") {
  break_off_answers(0);
}

TEST_CASE("every prefix of a recorded answer, broken off, leaves a history that is accepted: 2",
          "[actors][turn]") {
  break_off_answers(1);
}

TEST_CASE("every prefix of a recorded answer, broken off, leaves a history that is accepted: 3",
          "[actors][turn]") {
  break_off_answers(2);
}

TEST_CASE("every prefix of a recorded answer, broken off, leaves a history that is accepted: 4",
          "[actors][turn]") {
  break_off_answers(3);
}

} // namespace turn_fixtures_test

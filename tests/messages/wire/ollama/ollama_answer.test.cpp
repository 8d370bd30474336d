// What Ollama's servers send gives the same events however the network cuts the bytes.
#include "tests/messages/wire/provider/answer_fixtures.hpp"
#include "tests/messages/wire/provider/random_server.hpp"
#include "tests/messages/wire/provider/recordings.hpp"

namespace ollama_answer_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// An answer as a value, which can be written as lines or as one object.
struct made_answer {
  std::string thinking;
  std::string text;
  std::vector<tool_call> calls;
};

/// Makes answers, and the lines in which servers of different age send them.
class server : public random_server {
public:
  using random_server::random_server;

  made_answer answer() {
    made_answer made;
    made.thinking = below(2) == 0 ? words(1 + below(9)) : "";
    made.text = below(4) == 0 ? "" : words(1 + below(9));
    for (auto left = below(4); left > 0; --left)
      made.calls.push_back({below(2) == 0 ? fmt::format("call_{}", left) : "", "get_weather",
                            fmt::format(R"({{"city":{}}})", to_json(words(1 + below(9))))});
    return made;
  }

  std::string whole(const made_answer& answer) {
    return fmt::format(R"({{"model":"m","message":{{"role":"assistant","content":{},"thinking":{})"
                       R"({}}},)",
                       to_json(answer.text), to_json(answer.thinking), calls_of(answer.calls)) +
           end();
  }

  std::string lines(const made_answer& answer) {
    std::string out;
    for (const auto& each : pieces(answer.thinking))
      out += line(R"("content":"","thinking":)" + to_json(each));
    for (const auto& each : pieces(answer.text))
      out += line(R"("content":)" + to_json(each));
    if (below(2) == 0) {
      for (const auto& each : answer.calls)
        out += line(R"("content":"")" + calls_of({each}));
    } else if (!answer.calls.empty()) {
      out += line(R"("content":"")" + calls_of(answer.calls));
    }
    return out + R"({"model":"m","message":{"role":"assistant","content":""},)" + end();
  }

private:
  std::string calls_of(const std::vector<tool_call>& calls) {
    std::string list;
    for (const auto& each : calls)
      list += fmt::format(R"({}{{{}"function":{{{}"name":"{}","arguments":{}}}}})",
                          list.empty() ? "" : ",",
                          each.id.empty() ? "" : fmt::format(R"("id":"{}",)", each.id),
                          below(2) == 0 ? R"("index":0,)" : "", each.name, each.arguments);
    return list.empty() ? "" : R"(,"tool_calls":[)" + list + "]";
  }

  static std::string line(const std::string& members) {
    return fmt::format(R"({{"model":"m","message":{{"role":"assistant",{}}},"done":false}})"
                       "\n",
                       members);
  }

  static std::string end() {
    return R"("done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":4})"
           "\n";
  }
};

/// Returns all that an answer tells, whatever pieces it came in.
std::string told(const decoded_body& answer) {
  auto made = answer.reasoning() + "|" + answer.text() + "|";
  for (const auto& each : answer.calls())
    made += to_json(each);
  return made + to_json(answer.end.reason) + to_json(answer.end.used) + answer.end.error.message;
}

} // namespace

TEST_CASE("each quirk of Ollama gives the events that it means, however it is cut",
          "[messages][ollama]") {
  const answer_fixtures corpus{"ollama"};
  CHECK(corpus.all().size() == 80);
  check_quirk_rows(corpus, 24);
  check_fixtures(corpus);
}

TEST_CASE("an answer of Ollama that breaks off anywhere closes its calls, and is no whole one",
          "[messages][ollama]") {
  for_each_broken_fixture(answer_fixtures{"ollama"}, [](const decoded_body& answer) {
    return answer.end.error || !answer.end.raw_reason.empty() || answer.end.used.total_tokens > 0 ||
           answer.text() == "Hello"; // of an older server without a reason
  });
}

TEST_CASE("1000 random answers of Ollama say the same streamed and whole", "[messages][ollama]") {
  server from{20'261'126};
  for (int i = 0; i < 1000; ++i) {
    const auto answer = from.answer();
    const auto lines = from.lines(answer);
    const auto whole = from.whole(answer);
    INFO(lines << "\n" << whole);
    const auto streamed = decode_body("ollama", {}, pieces_of_body(lines, 1 + i % 50));
    const auto plain = decode_body("ollama", {}, {whole});
    REQUIRE(told(streamed) == told(plain));
    REQUIRE(streamed.text() == answer.text);
    REQUIRE(streamed.reasoning() == answer.thinking);
    REQUIRE(streamed.calls().size() == answer.calls.size());
  }
}

TEST_CASE("recorded answers of Ollama give what they mean", "[messages][ollama][recordings]") {
  check_recordings("ollama", "ollama", 22);
}

TEST_CASE("a prompt that nearly fills the context is told of", "[messages][ollama]") {
  model_config model;
  model.name = "m";
  const auto told = [&model](int tokens) {
    auto decoder = find_provider("ollama")->make_decoder(model, "made-");
    std::vector<event> events;
    const auto end =
        decoder->feed(fmt::format(R"({{"message":{{"role":"assistant","content":"a"}},"done":true,)"
                                  R"("done_reason":"stop","prompt_eval_count":{}}})"
                                  "\n",
                                  tokens),
                      events);
    CHECK(end.over);
    return end.full_context;
  };
  CHECK(told(1'000'000) == 0); // nobody knows the server's default
  model.generation.context_tokens = 8192;
  CHECK(told(7000) == 0);
  CHECK(told(7168) == 8192);
  CHECK(told(8192) == 8192);
  model.parameters = R"({"options":{"num_ctx":16384}})";
  CHECK(told(8192) == 0);
  CHECK(told(16000) == 16384);
  model.parameters = R"({"options":{"num_ctx":16384},"num_ctx":1024})";
  CHECK(told(1000) == 1024);
}

TEST_CASE("a server that is busy behind its head is overloaded", "[messages][ollama]") {
  const auto code = [](const std::string& body) {
    return decode_body("ollama", {200, "application/x-ndjson"}, {body}).end.error.code;
  };
  CHECK(code("{\"error\":\"server busy, please try again\"}\n") == errc::model_overloaded);
  CHECK(code("{\"error\":\"the server is not busy\"}\n") == errc::model_failed);
}

} // namespace ollama_answer_test

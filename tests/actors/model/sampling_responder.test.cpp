#include "actors/model/sampling_responder.hpp"

#include "tests/actors/mcp_hub/fake_mcp_hub.hpp"
#include "tests/actors/model/model_chunks.hpp"
#include "tests/actors/parents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_ports.hpp"
#include "tests/support/kept_log.hpp"

namespace sampling_responder_test {

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

class world : public deterministic {
public:
  world() {
    settings.http = &http;
    for (const auto* name : {"default", "claude-3-haiku", "gpt-large"}) {
      model_config model;
      model.name = name;
      model.base_url = std::string{"http://"} + name + ".test/v1";
      settings.models[name] = model;
    }
    settings.models["gpt-large"].model = "o9-Preview";
    settings.default_model = "default";
    hub = start_fake_hub(*this, notes);
    telemetry = sys.spawn([this](telemetry_actor::pointer) -> telemetry_actor::behavior_type {
      return {[](const turn_report&) {},
              [this](const sampling_report& each) { reports.push_back(each); },
              [](atom::status) { return std::string{}; }};
    });
    sys.registry().put(telemetry_name, caf::actor_cast<caf::strong_actor_ptr>(telemetry));
  }

  ~world() {
    notes->act = nullptr;
    crash(*this, hub);
    crash(*this, telemetry);
    sys.registry().erase(mcp_hub_name);
    sys.registry().erase(telemetry_name);
  }

  void sample(const std::string& params) {
    notes->act = [this, params](caf::local_actor& parent) {
      client_ask ask;
      ask.request_id = "ask-1";
      ask.server = "one";
      ask.session_id = "s";
      ask.params = {params};
      spawn_sampling_responder(parent, std::make_shared<const chat_settings>(settings), ask);
    };
    self->send(hub, atom::tick_v);
    run();
  }

  /// Messages that say hi, and more members.
  static std::string hello(const std::string& more = "") {
    return R"({"messages":[{"role":"user","content":{"type":"text","text":"hi there"}}],)"
           R"("maxTokens":100)" +
           more + "}";
  }

  fake_http::call& call() { return *http.calls.at(0); }

  bool contains(const std::string& text, const std::string& part) const {
    return text.find(part) != std::string::npos;
  }

  /// The only message that the hub was sent.
  std::pair<client_answer, failure> told() const {
    REQUIRE(notes->sampled.size() == 1);
    CHECK(notes->sampled[0].first.request_id == "ask-1");
    return notes->sampled[0];
  }

  fake_http http;
  chat_settings settings;
  shared_notes notes = std::make_shared<hub_notes>();
  fake_hub_actor hub;
  telemetry_actor telemetry;
  std::vector<sampling_report> reports;
};

} // namespace

TEST_CASE_METHOD(world, "a model's text answers the server's request",
                 "[actors][sampling_responder]") {
  sample(hello(R"(,"systemPrompt":"be brief")"));
  REQUIRE(http.calls.size() == 1);
  CHECK(call().request.url == "http://default.test/v1/chat/completions");
  CHECK(contains(call().request.body, "hi there"));
  CHECK(contains(call().request.body, "be brief"));
  call().stream({text_chunk("hel"), text_chunk("lo")});
  run();
  auto [answer, why] = told();
  CHECK_FALSE(why);
  CHECK(answer.action == "accept");
  CHECK(contains(answer.content.text, R"("text":"hello")"));
  CHECK(contains(answer.content.text, R"("model":"default")"));
  CHECK(contains(answer.content.text, R"("stopReason":"endTurn")"));
  CHECK(call().cancelled);
}

TEST_CASE_METHOD(world, "what the server asks of the model stands in its request",
                 "[actors][sampling_responder]") {
  sample(hello(R"(,"temperature":0,"stopSequences":["\n"],"toolChoice":{"mode":"required"},)"
               R"("tools":[{"name":"add","inputSchema":{"type":"object"}}])"));
  CHECK(contains(call().request.body, R"("temperature":0,"stop":["\n"],"tool_choice":"required")"));
}

TEST_CASE_METHOD(world, "the first hint that names a model chooses it",
                 "[actors][sampling_responder]") {
  auto url = [&](const std::string& hints) {
    sample(hello(R"(,"modelPreferences":{"hints":[)" + hints + "]}"));
    return http.calls.back()->request.url;
  };
  CHECK(contains(url(R"({"name":"unheard-of"},{"name":"CLAUDE"},{"name":"gpt"})"), "claude-3-"));
  CHECK(contains(url(R"({"name":"preview"})"), "//gpt-large."));
  CHECK(contains(url(R"({"name":"unheard-of"},{"name":""})"), "//default."));
}

TEST_CASE_METHOD(world, "tools of the request are offered, and the model's calls are the answer",
                 "[actors][sampling_responder]") {
  sample(hello(R"(,"tools":[{"name":"add","inputSchema":{"type":"object"}}])"));
  CHECK(contains(call().request.body, R"("name":"add")"));
  call().stream({call_chunk(0, "c1", "add", R"({"a":1})"), call_chunk(1, "c2", "add", "{oops")});
  run();
  auto content = told().first.content.text;
  CHECK(contains(content, R"("tool_use")"));
  CHECK(contains(content, R"({"a":1})"));
  CHECK_FALSE(contains(content, "oops"));
  CHECK(contains(content, R"("stopReason":"toolUse")"));
}

TEST_CASE_METHOD(world, "a sloppy call is read as it was meant, and the log says so",
                 "[actors][sampling_responder]") {
  auto log = std::make_shared<kept_log>();
  settings.log = log;
  sample(hello(R"(,"tools":[{"name":"sum","inputSchema":{"type":"object"}},)"
               R"({"name":"add","inputSchema":{"type":"object"}}])"));
  call().stream({call_chunk(0, "c1", " sum", R"({"a":"\ud83d"}{"a":"\ud83d"})"),
                 call_chunk(1, "c2", "add", "{}")});
  run();
  auto content = told().first.content.text;
  CHECK(contains(content, R"("name":"sum")"));
  CHECK(contains(content, "{\"a\":\"\xEF\xBF\xBD\"}"));
  auto lines = log->lines("call_mended");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].level == log_level::info);
  CHECK(lines[0].members == R"("model":"default","tool":"sum",)"
                            R"("mended":"space around the name, repeated, lone half")");
}

TEST_CASE_METHOD(world, "params that cannot be read are a failure",
                 "[actors][sampling_responder]") {
  sample(R"({"messages":"none"})");
  auto [answer, why] = told();
  CHECK(why);
  CHECK(answer.content.text.empty());
  CHECK(http.calls.empty());
}

TEST_CASE_METHOD(world, "without a model there is a failure", "[actors][sampling_responder]") {
  settings.models.clear();
  sample(hello());
  CHECK(told().second.code == errc::model_unknown);
}

TEST_CASE_METHOD(world, "a model that fails is a failure", "[actors][sampling_responder]") {
  settings.models["default"].max_attempts = 1;
  sample(hello());
  call().head(500, "text/plain");
  call().end();
  run();
  CHECK(told().second);
}

TEST_CASE_METHOD(world, "a fallback that answers is named", "[actors][sampling_responder]") {
  settings.models["default"].max_attempts = 1;
  settings.models["default"].fallback = "gpt-large";
  sample(hello(R"(,"tools":[{"name":"add","inputSchema":{"type":"object"}}])"));
  call().head(503, "text/plain");
  call().end();
  run();
  REQUIRE(http.calls.size() == 2);
  CHECK(contains(http.calls[1]->request.url, "//gpt-large."));
  CHECK(contains(http.calls[1]->request.body, "hi there"));
  CHECK(contains(http.calls[1]->request.body, R"("name":"add")"));
  CHECK(contains(http.calls[1]->request.body, R"("max_tokens":100)"));
  http.calls[1]->stream({text_chunk("hello")});
  run();
  CHECK(contains(told().first.content.text, R"("model":"o9-Preview")"));
}

TEST_CASE_METHOD(world, "a model that takes more than 5 minutes is a failure, and is left",
                 "[actors][sampling_responder]") {
  settings.models["default"].timeouts = {0ms, 0ms, 0ms, 0ms};
  sample(hello());
  call().head(200, "text/event-stream");
  advance(299s);
  CHECK(notes->sampled.empty());
  advance(1s);
  CHECK(told().second.code == errc::model_timeout);
  CHECK(call().cancelled);
}

TEST_CASE_METHOD(world, "when the hub ends the model is left", "[actors][sampling_responder]") {
  sample(hello());
  CHECK_FALSE(call().cancelled);
  crash(*this, hub);
  CHECK(call().cancelled);
  CHECK(notes->sampled.empty());
}

TEST_CASE_METHOD(world, "each model request is reported with its server and tokens",
                 "[actors][sampling_responder]") {
  sample(hello());
  errc end = errc::none;
  uint64_t tokens = 0;
  SECTION("as the provider counts them") {
    call().stream({text_chunk("hello"), R"({"choices":[],"usage":{"prompt_tokens":10,)"
                                        R"("completion_tokens":7,"total_tokens":17}})"});
    tokens = 17;
  }
  SECTION("estimated where it does not") {
    call().stream({text_chunk("hello")});
    tokens = 4; // "hi there" and "hello", four bytes each
  }
  SECTION("also when it fails") {
    call().head(400, "text/plain");
    call().end();
    run();
    end = reports.at(0).request.error;
    CHECK(end != errc::none);
  }
  SECTION("also when it takes too long") {
    call().head(200, "text/event-stream");
    advance(300s);
    end = errc::aborted;
  }
  run();
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].server == "one");
  CHECK(reports[0].session_id == "s");
  CHECK(reports[0].request.model == "default");
  CHECK(reports[0].request.error == end);
  CHECK(reports[0].request.attempts == 1);
  CHECK(reports[0].request.used.total_tokens == tokens);
  CHECK(notes->sampled_tokens == tokens);
}

TEST_CASE_METHOD(world, "a request that is broken off is reported",
                 "[actors][sampling_responder]") {
  sample(hello());
  crash(*this, hub);
  run();
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].request.error == errc::aborted);
}

TEST_CASE_METHOD(world, "what was no model request is not reported",
                 "[actors][sampling_responder]") {
  sample(R"({"messages":"none"})");
  CHECK(reports.empty());
}

} // namespace sampling_responder_test

#include "tests/actors/session/chat.hpp"

namespace session_model_test {

using namespace troupe;
using namespace troupe::test;

TEST_CASE_METHOD(chat, "what a turn says of its model's requests reaches the model",
                 "[actors][session]") {
  open();
  auto asked = request("hi");
  asked.options.streaming = 0;
  asked.options.parameters = R"({"temperature":0.25})";
  asked.options.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  auto traceparent = asked.options.traceparent;
  auto got = send(std::move(asked));
  run();
  REQUIRE(http.calls.size() == 1);
  const auto& sent = http.calls[0]->request;
  CHECK(find_header(sent.fields, "traceparent") == traceparent);
  CHECK(find_header(sent.fields, "accept") == "application/json");
  CHECK(contains(sent.body, R"("stream":false)"));
  CHECK(contains(sent.body, R"("temperature":0.25)"));
  http.calls[0]->head(200, "application/json");
  http.calls[0]->bytes(R"({"choices":[{"index":0,"message":{"content":"hello"}}]})");
  http.calls[0]->end();
  run();
  CHECK(got->names() == plain_turn);
}

TEST_CASE_METHOD(chat, "an answer that comes after its turn's end is not the next turn's",
                 "[actors][session]") {
  open();
  auto first = send("one");
  model_reader_actor session;
  auto finder = sys.spawn([&](subscriber_actor::pointer me) -> subscriber_actor::behavior_type {
    return {[me, &session](const event_batch&) {
              session = caf::actor_cast<model_reader_actor>(me->current_sender());
            },
            [](const turn_refused&) {}, [](const client_signal&) {}};
  });
  caf::send_as(finder, hub, watch_turn{"s", "", 0, false, 1000});
  run();
  REQUIRE(session);
  self->send(hub, abort_turn{"s", "", "stop"});
  run();
  auto second = send("two");
  model_output late;
  late.request = 1;
  late.events = {text_delta{"late"}};
  self->send(session, late);
  run();
  CHECK(second->names() == strings{"SESSION_START", "MODEL_RESPONSE_WAITING"});
  late.request = 2;
  self->send(session, late);
  run();
  CHECK(second->names() == strings{"SESSION_START", "MODEL_RESPONSE_WAITING", "TEXT"});
  crash(*this, finder);
}

TEST_CASE_METHOD(chat, "the fallback is asked the same, tools and options included",
                 "[actors][session]") {
  model_config spare;
  spare.name = "spare";
  spare.base_url = "http://spare.test/v1";
  settings.models["spare"] = spare;
  settings.models["default"].fallback = "spare";
  open_tools({"echo"});
  open();
  auto asked = request("hi");
  asked.options.streaming = 0;
  asked.options.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  auto got = send(std::move(asked));
  run();
  REQUIRE(http.calls.size() == 1);
  auto first = http.calls[0]->request;
  http.calls[0]->head(503, "text/plain");
  http.calls[0]->end();
  run();
  REQUIRE(http.calls.size() == 2);
  const auto& second = http.calls[1]->request;
  CHECK(second.url == "http://spare.test/v1/chat/completions");
  auto after_model = [](const std::string& body) { return body.substr(body.find("\"messages\"")); };
  CHECK(contains(first.body, "echo"));
  CHECK(after_model(second.body) == after_model(first.body));
  CHECK(find_header(second.fields, "traceparent") == find_header(first.fields, "traceparent"));
  CHECK(got->names() == strings{"SESSION_START", "MODEL_RESPONSE_WAITING"});
  http.calls[1]->stream({text_chunk("hello")});
  run();
  CHECK(got->names() == plain_turn);
}

TEST_CASE_METHOD(chat, "a fallback is offered as many tools as it takes, the client's first",
                 "[actors][session]") {
  model_config spare;
  spare.name = "spare";
  spare.base_url = "http://spare.test/v1";
  spare.max_tools = 2;
  settings.models["spare"] = spare;
  settings.models["default"].fallback = "spare";
  open_tools({"first", "second", "third"});
  open();
  auto asked = request("hi");
  asked.options.tools.push_back({"zoom", "", "{}", "", ""});
  auto got = send(std::move(asked));
  run();
  REQUIRE(http.calls.size() == 1);
  for (const std::string name : {"first", "second", "third", "zoom"})
    CHECK(contains(http.calls[0]->request.body, '"' + name + '"'));
  http.calls[0]->head(503, "text/plain");
  http.calls[0]->end();
  run();
  REQUIRE(http.calls.size() == 2);
  const auto& second = http.calls[1]->request.body;
  CHECK((contains(second, "\"first\"") && contains(second, "\"zoom\"")));
  CHECK_FALSE((contains(second, "\"second\"") || contains(second, "\"third\"")));
}

} // namespace session_model_test

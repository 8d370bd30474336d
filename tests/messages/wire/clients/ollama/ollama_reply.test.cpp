#include "messages/wire/clients/ollama/ollama_reply.hpp"

#include <string>
#include <vector>

#include "messages/wire/json/json_check.hpp"
#include "tests/support/catch.hpp"

namespace ollama_reply_test {

using namespace troupe;

namespace {

constexpr auto tags = "[ollama_client][wire]";

int64_t milliseconds = 0; // of the clock below; each look takes one

std::chrono::system_clock::time_point ticking() {
  return std::chrono::system_clock::time_point{std::chrono::seconds{1700000000} +
                                               std::chrono::milliseconds{++milliseconds}};
}

ollama_identity identity(ollama_form form, bool shows_thinking = true) {
  milliseconds = 0;
  return {"m", form, shows_thinking, ticking};
}

const usage used{10, 5, 15, 2, 3};

/// Returns the lines without their model and time.
std::vector<std::string> lines_of(const std::vector<event>& events, ollama_identity of) {
  constexpr std::string_view begin = R"({"model":"m","created_at":"2023-11-14T22:13:20.)";
  ollama_stream stream{std::move(of)};
  json_buffer out;
  for (const auto& each : events) // cut anywhere, the bytes are the same
    stream.encode({"s", "t", 1, 0, {each}}, out);
  std::vector<std::string> lines;
  for (std::string_view rest = view(out); !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    REQUIRE(line.size() < rest.size());
    REQUIRE(is_json_object(line));
    const bool has_head = line.starts_with(begin);
    lines.emplace_back(has_head ? line.substr(begin.size() + 6) : line); // ms, Z, quote, comma
    rest.remove_prefix(line.size() + 1);
  }
  return lines;
}

std::string whole(const std::vector<event>& events, ollama_identity of) {
  ollama_collector collector{std::move(of)};
  collector.take({"s", "t", 1, 0, events});
  CHECK_FALSE(collector.error());
  auto body = collector.body();
  CHECK(is_json_object(body));
  return body;
}

std::string message(const std::string& members, const std::string& end = R"("done":false)") {
  return R"("message":{"role":"assistant",)" + members + "}," + end + '}';
}

event call(const std::string& id, const std::string& name, bool client_side) {
  return tool_args_complete{id, name, {"{\"a\":\r\n 1}"}, client_side, errc::none, ""};
}

std::vector<event> ended(std::vector<event> events, finish_reason why) {
  events.emplace_back(model_generation_stop{why, used});
  events.emplace_back(session_end{why, used, 0});
  return events;
}

std::string done(const std::string& reason, int total, int first) {
  const auto in_ns = [](int ms) { return std::to_string(ms) + (ms == 0 ? "" : "000000"); };
  return R"("done":true,"done_reason":")" + reason + R"(","total_duration":)" + in_ns(total) +
         R"(,"load_duration":0,"prompt_eval_count":10,"prompt_eval_duration":)" + in_ns(first) +
         R"(,"eval_count":5,"eval_duration":)" + in_ns(total - first);
}

} // namespace

TEST_CASE("text and thoughts become lines, and the last one says how it ended", tags) {
  const auto events = ended({session_start{"m1"}, model_response_waiting{0, "m"},
                             reasoning_delta{"hm"}, text_delta{"a\n"}, text_delta{"b"}},
                            finish_reason::stop);
  CHECK(lines_of(events, identity(ollama_form::chat)) ==
        std::vector<std::string>{message(R"("content":"","thinking":"hm")"),
                                 message(R"("content":"a\n")"), message(R"("content":"b")"),
                                 message(R"("content":"")", done("stop", 6, 1))});
  CHECK(lines_of(events, identity(ollama_form::prompt)) ==
        std::vector<std::string>{
            R"("response":"","thinking":"hm","done":false})", R"("response":"a\n","done":false})",
            R"("response":"b","done":false})", R"("response":"",)" + done("stop", 6, 1) + "}"});
  CHECK(lines_of(events, identity(ollama_form::chat, false)).size() == 3);
  CHECK(whole(events, identity(ollama_form::chat))
            .ends_with(message(R"("content":"a\nb","thinking":"hm")", done("stop", 3, 1))));
  CHECK(whole(events, identity(ollama_form::prompt, false))
            .ends_with(R"("response":"a\nb",)" + done("stop", 3, 1) + '}'));
}

TEST_CASE("what the model wrote in two rounds is told apart, and calls that ran here are not shown",
          tags) {
  const auto events =
      ended({model_response_waiting{0, "m"}, text_delta{"I look."}, call("c1", "theirs", false),
             model_response_waiting{1, "m"}, text_delta{"It is so."}},
            finish_reason::tool_calls);
  const auto got = lines_of(events, identity(ollama_form::chat));
  REQUIRE(got.size() == 4);
  CHECK(got[1] == message(R"("content":"\n\n")"));
  CHECK(got[3].find(R"("done_reason":"length")") != std::string::npos); // no more may run
  CHECK(whole(events, identity(ollama_form::chat)).find(R"("content":"I look.\n\nIt is so."})") !=
        std::string::npos);
}

TEST_CASE("calls of the client are lines with arguments as an object", tags) {
  auto second = std::get<tool_args_complete>(call("c2", "g", true));
  second.provider_metadata.text = R"({"k":1})";
  const auto events = ended({call("c1", "f", true), second}, finish_reason::tool_calls);
  const std::string first =
      R"({"id":"c1","function":{"index":0,"name":"f","arguments":{"a":   1}}})";
  const std::string other =
      R"({"id":"c2","function":{"index":1,"name":"g","arguments":{"a":   1}},"extra_content":{"k":1}})";
  const auto got = lines_of(events, identity(ollama_form::chat));
  REQUIRE(got.size() == 3);
  CHECK(got[0] == message(R"("content":"","tool_calls":[)" + first + ']'));
  CHECK(got[1] == message(R"("content":"","tool_calls":[)" + other + ']'));
  CHECK(got[2].find(R"("done_reason":"stop")") != std::string::npos);
  CHECK(whole(events, identity(ollama_form::chat))
            .find(R"("content":"","tool_calls":[)" + first + ',' + other + "]},") !=
        std::string::npos);
}

TEST_CASE("a turn that fails or is stopped ends with one error, and with nothing behind it", tags) {
  const auto broken =
      lines_of({text_delta{"a"}, session_error{errc::model_failed, "broken", false}},
               identity(ollama_form::chat));
  REQUIRE(broken.size() == 2);
  CHECK(broken[1] == R"({"error":"broken"})");
  const auto stopped =
      lines_of({text_delta{"a"}, abort_event{"stop"}, session_end{finish_reason::other, used, 0}},
               identity(ollama_form::prompt));
  REQUIRE(stopped.size() == 2);
  CHECK(stopped[1] == R"({"error":"The turn was aborted: stop."})");
  ollama_collector collector{identity(ollama_form::chat)};
  collector.take({"s", "t", 1, 0, {session_error{errc::model_failed, "broken", false}}});
  CHECK(collector.error().code == errc::model_failed);
}

TEST_CASE("a sign of life and an answer to nothing are lines that clients read", tags) {
  for (auto form : {ollama_form::chat, ollama_form::prompt}) {
    CHECK(is_json_object(ollama_sign_of_life(form)));
    CHECK(ollama_sign_of_life(form).ends_with("\n"));
    CHECK(ollama_loaded(identity(form)).ends_with(R"("done":true,"done_reason":"load"})"));
    CHECK(is_json_object(ollama_loaded(identity(form))));
  }
}

} // namespace ollama_reply_test

#include <string>
#include <string_view>

#include "apps/model/chat/chat_dialect.hpp"
#include "apps/model/dialect/answer_frames.hpp"
#include "apps/model/dialect/request_reader.hpp"
#include "apps/model/script/scripts.hpp"
#include "apps/model/script/tokens.hpp"
#include "apps/model/scripted_model.hpp"
#include "tests/support/catch.hpp"

namespace scripted_model_scripts_test {

using namespace troupe;
using namespace troupe::scripted;

namespace {

constexpr std::string_view echo_tool =
    R"({"type":"function","function":{"name":"echo","parameters":{"type":"object","properties":)"
    R"({"message":{"type":"string"}},"required":["message"]}}})";

constexpr std::string_view sum_tool =
    R"({"type":"function","function":{"name":"get-sum","parameters":{"type":"object","properties":)"
    R"({"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}})";

/// A tool of this name with the parameters of `like`.
std::string renamed(std::string_view like, std::string_view name) {
  std::string out{like};
  const auto at = out.find("\"name\":\"") + 8;
  return out.replace(at, out.find('"', at) - at, name);
}

std::string user(std::string_view text) {
  return R"({"role":"user","content":")" + std::string{text} + R"("})";
}

/// The messages of one round: the calls of `what`, each answered with "result of <name>".
std::string round_of(const answer& what) {
  std::string calls;
  std::string results;
  for (const auto& call : what.calls) {
    calls += (calls.empty() ? "" : ",") + (R"({"id":")" + call.id) +
             R"(","type":"function","function":{"name":")" + call.name + R"(","arguments":"{}"}})";
    results += R"(,{"role":"tool","tool_call_id":")" + call.id + R"(","content":"result of )" +
               call.name + R"("})";
  }
  return R"(,{"role":"assistant","content":null,"tool_calls":[)" + calls + "]}" + results;
}

answer run(std::string_view script, const std::string& messages, const std::string& tools = "") {
  auto body = R"({"model":")" + std::string{script} + R"(","messages":[)" + messages + "]" +
              (tools.empty() ? "" : R"(,"tools":[)" + tools + "]") + "}";
  request_reader reader;
  chat_call call;
  const auto bad = reader.read(body, chat_dialect, call);
  INFO(bad.message);
  REQUIRE_FALSE(bad);
  const auto found = find_script(call.model);
  REQUIRE(found.row != nullptr);
  const auto talk = reader.talk();
  return found.row->make({talk, found.tokens_per_second, found.tokens});
}

const std::string both_tools = std::string{echo_tool} + "," + std::string{sum_tool};

} // namespace

TEST_CASE("every script is listed once, with a description", "[apps][scripted_model]") {
  const auto all = scripts();
  CHECK(all.size() == all_scripts().size());
  for (const auto& each : all) {
    INFO(each.name);
    CHECK_FALSE(each.description.empty());
    REQUIRE(find_script(each.name).row != nullptr);
    CHECK(find_script(each.name).row->name == each.name);
  }
}

TEST_CASE("the fixed answer has fifty tokens", "[apps][scripted_model]") {
  CHECK(count_tokens(fifty_tokens()) == 50);
}

TEST_CASE("tokens joined are the text, and none cuts a character", "[apps][scripted_model]") {
  std::string text = " two  spaces\nand ";
  for (int i = 0; i < 40; ++i)
    text += "\xE2\x82\xAC"; // a euro sign, three bytes
  std::string joined;
  for (std::string_view rest = text; !rest.empty();) {
    const auto token = first_token(rest);
    REQUIRE_FALSE(token.empty());
    CHECK(token.size() <= 32);
    CHECK((static_cast<unsigned char>(token.front()) & 0xC0U) != 0x80U);
    joined += token;
    rest.remove_prefix(token.size());
  }
  CHECK(joined == text);
}

TEST_CASE("paced names carry their pace and length", "[apps][scripted_model]") {
  CHECK(run("paced", user("x")).interval == std::chrono::milliseconds{200});
  CHECK(run("paced-20", user("x")).interval == std::chrono::milliseconds{50});
  const auto both = find_script("paced-20-7");
  REQUIRE(both.row != nullptr);
  CHECK(both.tokens_per_second == 20);
  CHECK(both.tokens == 7);
  for (auto name : {"paced-", "paced-0", "paced--5", "paced-5-", "paced-5-6-7", "paced-x",
                    "paced-5x", "paced-5-1000001", "paced-1000001", "nothing", ""}) {
    INFO(name);
    CHECK(find_script(name).row == nullptr);
  }
}

TEST_CASE("echo repeats the last user message", "[apps][scripted_model]") {
  CHECK(run("echo", user("first") + R"(,{"role":"assistant","content":"x"},)" + user("second"))
            .text == "second");
}

TEST_CASE("call asks the echo tool to repeat the user and quotes its result",
          "[apps][scripted_model]") {
  const auto messages = user("hello there");
  const auto first = run("call", messages, both_tools);
  REQUIRE(first.calls.size() == 1);
  CHECK(first.finish == "tool_calls");
  CHECK(first.calls[0].id == "call_000001");
  CHECK(first.calls[0].name == "echo");
  CHECK(first.calls[0].arguments == R"({"message":"hello there"})");
  const auto second = run("call", messages + round_of(first), both_tools);
  CHECK(second.calls.empty());
  CHECK(second.finish == "stop");
  CHECK(second.text == "The tool echo answered: result of echo");
}

TEST_CASE("a new user message starts the script anew, with a new call id",
          "[apps][scripted_model]") {
  const auto messages = user("one");
  const auto first = run("call", messages, both_tools);
  const auto again =
      run("call",
          messages + round_of(first) + R"(,{"role":"assistant","content":"done"},)" + user("two"),
          both_tools);
  REQUIRE(again.calls.size() == 1);
  CHECK(again.calls[0].id == "call_000002");
  CHECK(again.calls[0].arguments == R"({"message":"two"})");
}

TEST_CASE("chain calls the sum after the echo and quotes both", "[apps][scripted_model]") {
  auto messages = user("go");
  const auto first = run("chain", messages, both_tools);
  REQUIRE(first.calls.size() == 1);
  CHECK(first.calls[0].name == "echo");
  messages += round_of(first);
  const auto second = run("chain", messages, both_tools);
  REQUIRE(second.calls.size() == 1);
  CHECK(second.calls[0].name == "get-sum");
  CHECK(second.calls[0].arguments == R"({"a":2,"b":3})");
  messages += round_of(second);
  CHECK(run("chain", messages, both_tools).text ==
        "The tool echo answered: result of echo\nThe tool get-sum answered: result of get-sum");
}

TEST_CASE("chain goes from the first server to another one where it can",
          "[apps][scripted_model]") {
  const auto tools = renamed(echo_tool, "one_echo") + "," + renamed(sum_tool, "one_get-sum") + "," +
                     renamed(echo_tool, "two__echo") + "," + renamed(sum_tool, "two__get-sum");
  const auto first = run("chain", user("go"), tools);
  REQUIRE(first.calls.size() == 1);
  CHECK(first.calls[0].name == "one_echo");
  const auto second = run("chain", user("go") + round_of(first), tools);
  REQUIRE(second.calls.size() == 1);
  CHECK(second.calls[0].name == "two__get-sum");
}

TEST_CASE("chain with a single tool tells it its own first result", "[apps][scripted_model]") {
  const auto tools = std::string{echo_tool};
  const auto first = run("chain", user("go"), tools);
  const auto second = run("chain", user("go") + round_of(first), tools);
  REQUIRE(second.calls.size() == 1);
  CHECK(second.calls[0].arguments == R"({"message":"result of echo"})");
}

TEST_CASE("parallel calls two tools in one answer", "[apps][scripted_model]") {
  const auto first = run("parallel", user("go"), both_tools);
  REQUIRE(first.calls.size() == 2);
  CHECK(first.calls[0].name == "echo");
  CHECK(first.calls[1].name == "get-sum");
  CHECK(first.calls[0].id != first.calls[1].id);
  const auto alone = run("parallel", user("go"), std::string{echo_tool});
  REQUIRE(alone.calls.size() == 2);
  CHECK(alone.calls[1].name == "echo");
}

TEST_CASE("without fitting tools the first one is called with made-up arguments",
          "[apps][scripted_model]") {
  const std::string odd =
      R"({"type":"function","function":{"name":"odd","parameters":{"type":"object","properties":{)"
      R"("s":{"type":"string"},"n":{"type":"number"},"b":{"type":"boolean"},)"
      R"("e":{"enum":["x","y"]},"m":{"type":"integer","minimum":7},"l":{"type":["null","array"]},)"
      R"("o":{"type":"object","properties":{"in":{"type":"string"}},"required":["in"]},)"
      R"("free":{"type":"string"}},"required":["s","n","b","e","m","l","o"]}}})";
  const auto first = run("call", user("go"), odd);
  REQUIRE(first.calls.size() == 1);
  CHECK(first.calls[0].arguments ==
        R"({"s":"troupe","n":1,"b":true,"e":"x","m":7,"l":[],"o":{"in":"troupe"}})");
}

TEST_CASE("scripts that need a tool say so when there is none", "[apps][scripted_model]") {
  for (auto name :
       {"call", "chain", "parallel", "bad-arguments", "tool-error", "loop", "hang-call"}) {
    INFO(name);
    const auto out = run(name, user("go"));
    CHECK(out.calls.empty());
    CHECK_FALSE(out.text.empty());
    CHECK(out.finish == "stop");
  }
}

TEST_CASE("loop calls a tool in every round", "[apps][scripted_model]") {
  auto messages = user("go");
  for (int round = 1; round <= 3; ++round) {
    const auto out = run("loop", messages, both_tools);
    REQUIRE(out.calls.size() == 1);
    CHECK(out.calls[0].arguments == R"({"message":"round )" + std::to_string(round) + R"("})");
    messages += round_of(out);
  }
}

TEST_CASE("tool-error prefers a tool called fail, else leaves out what is required",
          "[apps][scripted_model]") {
  const auto with_fail = both_tools + "," + renamed(echo_tool, "demo_fail");
  CHECK(run("tool-error", user("go"), with_fail).calls.at(0).name == "demo_fail");
  const auto without = run("tool-error", user("go"), both_tools);
  CHECK(without.calls.at(0).name == "echo");
  CHECK(without.calls.at(0).arguments == "{}");
}

TEST_CASE("hang-call finds the tool that hangs, under any prefix", "[apps][scripted_model]") {
  const auto tools = both_tools + "," + renamed(echo_tool, "demo_hang");
  CHECK(run("hang-call", user("go"), tools).calls.at(0).name == "demo_hang");
  const std::string slow =
      R"({"type":"function","function":{"name":"trigger-long-running-operation","parameters":)"
      R"({"type":"object","properties":{"duration":{"type":"number","default":10}}}}})";
  CHECK(run("hang-call", user("go"), slow).calls.at(0).arguments == R"({"duration":600})");
}

TEST_CASE("told makes the calls that lines of the message order, one after the other",
          "[apps][scripted_model]") {
  const auto tools =
      both_tools + "," + renamed(echo_tool, "demo__echo") + "," + renamed(echo_tool, "demo__note");
  auto messages =
      user(R"(Please:\ncall echo {\"message\": \"a b\"}\n)"
           R"(  call note {\"x\":{}} \r\ncall sum {broken\nrecall echo {}\ncall none {})");
  std::vector<std::string> made;
  for (auto out = run("told", messages, tools); !out.calls.empty();
       out = run("told", messages, tools)) {
    REQUIRE(out.calls.size() == 1);
    made.push_back(out.calls[0].name + ' ' + out.calls[0].arguments);
    messages += round_of(out);
  }
  CHECK(made == std::vector<std::string>{R"(echo {"message": "a b"})", R"(demo__note {"x":{}})",
                                         "none {}"});
  CHECK(run("told", messages, tools).text == "The tool echo answered: result of echo\n"
                                             "The tool demo__note answered: result of demo__note\n"
                                             "The tool none answered: result of none");
  const auto both = user(R"(call echo {}\nand call note {}\ncall none {})");
  const auto out = run("told", both, tools);
  REQUIRE(out.calls.size() == 2);
  CHECK(out.calls[1].name == "demo__note");
  CHECK(out.calls[1].id != out.calls[0].id);
  CHECK(run("told", both + round_of(out), tools).calls.at(0).name == "none");
  CHECK(run("told", user("hi"), tools).text.find("no line that orders a call") !=
        std::string::npos);
}

TEST_CASE("demo adds the user's numbers, names itself, and calls nothing that might do harm",
          "[apps][scripted_model]") {
  const auto sum = run("demo", user("what is 2 + 040?"), both_tools);
  REQUIRE(sum.calls.size() == 1);
  CHECK(sum.calls[0].arguments == R"({"a":2,"b":40})");
  CHECK(run("demo", user("hi")).text.find("scripted model") != std::string::npos);
  const auto risky = renamed(echo_tool, "write_file");
  CHECK(run("demo", user("hi"), risky).calls.empty());
  CHECK(run("demo", user("please write_file now"), risky).calls.size() == 1);
  const auto told =
      run("demo", user("hi") + round_of(run("demo", user("hi"), both_tools)), both_tools);
  CHECK(told.text.find("result of echo") != std::string::npos);
}

TEST_CASE("a quoted result is cut at a character and says how long it was",
          "[apps][scripted_model]") {
  std::string big;
  while (big.size() < 9000)
    big += "\xE2\x82\xAC";
  const auto messages =
      user("go") +
      R"(,{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":)"
      R"({"name":"echo","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":")" +
      big + "\"}";
  const auto text = run("call", messages, both_tools).text;
  CHECK(text.size() < 4200);
  CHECK(text.find("\xE2\x82\xAC ... (9000 bytes in all)") != std::string::npos);
}

TEST_CASE("a name with numbers in it is a script, too", "[apps][scripted_model]") {
  for (const auto* each : {"demo", "paced", "paced-50", "paced-50-10"})
    CHECK(is_script(each));
  for (const auto* each : {"", "paced-", "paced-0", "paced-x", "paced-50-", "demo-1", "gpt-4o"})
    CHECK_FALSE(is_script(each));
}

TEST_CASE("arrays in arrays do not multiply without end", "[apps][scripted_model]") {
  for (const size_t depth : {2, 5, 8}) {
    std::string schema = R"({"type":"string"})";
    for (size_t i = 0; i < depth; ++i)
      schema = R"({"type":"array","minItems":1000000,"items":)" + schema + "}";
    const auto tool =
        R"({"type":"function","function":{"name":"deep","parameters":{"type":"object",)"
        R"("properties":{"a":)" +
        schema + R"(},"required":["a"]}}})";
    const auto made = run("call", user("go"), tool);
    REQUIRE(made.calls.size() == 1);
    CHECK(made.calls[0].arguments.size() > 100);
    CHECK(made.calls[0].arguments.size() < 200'000);
  }
}

} // namespace scripted_model_scripts_test

#include <string>

#include "apps/model/chat_reader.hpp"
#include "apps/model/model_request_log.hpp"
#include "tests/support/catch.hpp"

namespace scripted_model_requests_test {

using namespace troupe;
using namespace troupe::scripted;

namespace {

std::string why_refused(std::string body) {
  chat_reader reader;
  chat_call call;
  return reader.read(body, call).message;
}

std::string why_history_refused(const std::string& messages) {
  return why_refused(R"({"model":"text","messages":[)" + messages + "]}");
}

bool mentions(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

const std::string user = R"({"role":"user","content":"hi"})";
const std::string call =
    R"({"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",)"
    R"("function":{"name":"echo","arguments":"{}"}}]})";
const std::string result = R"({"role":"tool","tool_call_id":"c1","content":"x"})";

} // namespace

TEST_CASE("a request's options are read", "[apps][scripted_model]") {
  chat_reader reader;
  chat_call out;
  std::string body = R"({"stream_options":{"include_usage":true},"messages":[)" + user +
                     R"(],"stream":true,"model":"echo"})";
  const auto before = body;
  REQUIRE_FALSE(reader.read(body, out));
  CHECK(out.model == "echo");
  CHECK(out.stream);
  CHECK(out.include_usage);
  CHECK(body == before);
}

TEST_CASE("bodies that are no request are refused with the reason", "[apps][scripted_model]") {
  CHECK(mentions(why_refused(""), "not valid JSON"));
  CHECK(mentions(why_refused("{"), "not valid JSON"));
  CHECK(mentions(why_refused("[]"), "must be a JSON object"));
  CHECK(mentions(why_refused(R"({"messages":[]})"), "model must be"));
  CHECK(mentions(why_refused(R"({"model":"text"})"), "messages must be an array"));
  CHECK(mentions(why_refused(R"({"model":"text","messages":[]})"), "must not be empty"));
  CHECK(mentions(why_refused(R"({"model":"text","stream":1,"messages":[]})"), "stream must be"));
  CHECK(mentions(why_refused(R"({"model":"text","stream_options":{},"messages":[)" + user + "]}"),
                 "only allowed when stream"));
}

TEST_CASE("a history is held to the provider's rules", "[apps][scripted_model]") {
  CHECK(why_history_refused(user + "," + call + "," + result).empty());
  CHECK(why_history_refused(user + "," + call + "," + result + "," + user).empty());
  CHECK(mentions(why_history_refused("7"), "messages[0] must be an object"));
  CHECK(mentions(why_history_refused(R"({"role":"robot","content":"x"})"), "role 'robot'"));
  CHECK(mentions(why_history_refused(R"({"role":"user"})"), "content is missing"));
  CHECK(mentions(why_history_refused(R"({"role":"user","content":5})"), "string or an array"));
  CHECK(mentions(why_history_refused(user + "," + call), "'c1'"));
  CHECK(mentions(why_history_refused(user + "," + call + "," + user), "messages[2]"));
  CHECK(mentions(why_history_refused(user + "," + result), "answers no open call"));
  CHECK(mentions(why_history_refused(user + "," + call + "," + result + "," + result),
                 "answers no open call"));
  CHECK(mentions(why_history_refused(R"({"role":"assistant","content":null})"), "is missing"));
  CHECK(mentions(why_history_refused(R"({"role":"assistant","content":"x","tool_calls":[]})"),
                 "not empty"));
}

TEST_CASE("offered tools must be functions with names that fit", "[apps][scripted_model]") {
  const auto why = [](const std::string& tools) {
    return why_refused(R"({"model":"text","messages":[)" + user + R"(],"tools":[)" + tools + "]}");
  };
  CHECK(why(R"({"type":"function","function":{"name":"a-b_C9"}})").empty());
  CHECK(mentions(why(R"({"name":"echo"})"), "tools[0]"));
  CHECK(mentions(why(R"({"type":"function","function":{"name":"a.b"}})"), "A-Za-z0-9_-"));
  CHECK(
      mentions(why(R"({"type":"function","function":{"name":")" + std::string(65, 'x') + R"("}})"),
               "1 to 64"));
  CHECK(mentions(why(R"({"type":"function","function":{"name":"a","parameters":[]}})"),
                 "parameters must be an object"));
  CHECK(mentions(why(R"({"type":"function","function":{"name":"a"}},)"
                     R"({"type":"function","function":{"name":"a"}})"),
                 "used twice"));
}

TEST_CASE("content in parts is read as one text", "[apps][scripted_model]") {
  chat_reader reader;
  chat_call out;
  std::string body = R"({"model":"echo","messages":[{"role":"user","content":[)"
                     R"({"type":"text","text":"one "},{"type":"image_url","image_url":{}},)"
                     R"({"type":"text","text":"two"}]}]})";
  REQUIRE_FALSE(reader.read(body, out));
  CHECK(reader.talk().user_text == "one two");
}

TEST_CASE("the request log keeps the last sixty-four in order", "[apps][scripted_model]") {
  model_request_log log;
  for (uint64_t seq = 1; seq <= 100; ++seq)
    log.add({seq, "m", std::to_string(seq), true});
  std::vector<logged_request> all;
  log.copy_to(all);
  all.push_back({101, "m\"", "not {json", false});
  const auto text = to_json_array(all);
  CHECK(text.starts_with(R"([{"seq":38,"model":"m","body":38},)"));
  CHECK(text.ends_with(R"(,{"seq":101,"model":"m\"","body":"not {json"}])"));
  log.clear();
  all.clear();
  log.copy_to(all);
  CHECK(all.empty());
}

} // namespace scripted_model_requests_test

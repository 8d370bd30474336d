#include <string>

#include "apps/model/chat/chat_dialect.hpp"
#include "apps/model/dialect/request_reader.hpp"
#include "apps/model/model_shard.hpp"
#include "tests/support/catch.hpp"

namespace scripted_model_requests_test {

using namespace troupe;
using namespace troupe::scripted;

namespace {

std::string why_refused(std::string body) {
  request_reader reader;
  chat_call call;
  return reader.read(body, chat_dialect, call).message;
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
const std::string says = R"({"role":"assistant","content":"x"})";
const std::string system = R"({"role":"system","content":"x"})";
const std::string result = R"({"role":"tool","tool_call_id":"c1","content":"x"})";

} // namespace

TEST_CASE("a request's options are read", "[apps][scripted_model]") {
  request_reader reader;
  chat_call out;
  std::string body = R"({"stream_options":{"include_usage":true},"messages":[)" + user +
                     R"(],"stream":true,"model":"echo"})";
  const auto before = body;
  REQUIRE_FALSE(reader.read(body, chat_dialect, out));
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
  CHECK(
      why_history_refused(system + "," + user + "," + call + "," + result + "," + says + "," + user)
          .empty());
  CHECK(mentions(why_history_refused("7"), "messages[0] must be an object"));
  CHECK(mentions(why_history_refused(R"({"role":"robot","content":"x"})"), "role 'robot'"));
  CHECK(mentions(why_history_refused(R"({"role":"user"})"), "content is missing"));
  CHECK(mentions(why_history_refused(R"({"role":"user","content":5})"), "string or an array"));
  CHECK(mentions(why_history_refused(user + "," + call), "'c1'"));
  CHECK(mentions(why_history_refused(user + "," + call + "," + user), "messages[2]"));
  CHECK(mentions(why_history_refused(user + "," + result), "answers no open call"));
  CHECK(mentions(why_history_refused(user + "," + call + "," + result + "," + result),
                 "answers no open call"));
  CHECK(mentions(why_history_refused(user + R"(,{"role":"assistant","content":null})"),
                 "is missing"));
  CHECK(
      mentions(why_history_refused(user + R"(,{"role":"assistant","content":"x","tool_calls":[]})"),
               "not empty"));
}

TEST_CASE("roles alternate, as strict chat templates demand", "[apps][scripted_model]") {
  CHECK(mentions(why_history_refused(user + "," + user), "roles must alternate"));
  CHECK(mentions(why_history_refused(user + "," + says + "," + says), "roles must alternate"));
  CHECK(mentions(why_history_refused(says + "," + user), "roles must alternate"));
  CHECK(mentions(why_history_refused(user + "," + call + "," + result + "," + user), "after role"));
  CHECK(mentions(why_history_refused(user + "," + system), "must be the first"));
  CHECK(mentions(why_history_refused(user + "," + says), "not an assistant's"));
}

TEST_CASE("what is empty, or no provider reads, is refused", "[apps][scripted_model]") {
  const auto user_says = [](const std::string& content) {
    return why_history_refused(R"({"role":"user","content":)" + content + "}");
  };
  const auto image = [&](const std::string& url) {
    return user_says(R"([{"type":"image_url","image_url":{"url":")" + url + R"("}}])");
  };
  CHECK(mentions(user_says(R"(" \n")"), "is empty"));
  CHECK(mentions(user_says("[]"), "is empty"));
  CHECK(mentions(user_says(R"([{"type":"text","text":""}])"), "without characters"));
  CHECK(image("data:image/png;base64,AAAA").empty());
  CHECK(image("https://x.example/a").empty());
  for (auto url : {"data:image/svg+xml;base64,AAAA", "data:image/png;base64,",
                   "data:image/png;base64,AAA", "data:IMAGE/PNG;base64,AAAA", "blob:x", ""})
    CHECK(mentions(image(url), "no PNG, JPEG, GIF or WebP"));
}

TEST_CASE("calls need names, ids and arguments that fit", "[apps][scripted_model]") {
  const auto calls = [](const std::string& id, const std::string& name, const std::string& args) {
    return user + R"(,{"role":"assistant","content":null,"tool_calls":[{"id":")" + id +
           R"(","type":"function","function":{"name":")" + name + R"(","arguments":")" + args +
           R"("}}]},{"role":"tool","tool_call_id":")" + id + R"(","content":"x"})";
  };
  CHECK(why_history_refused(calls("a", "get", "{}")).empty());
  CHECK(mentions(why_history_refused(calls("a", "get it", "{}")), "A-Za-z0-9_-"));
  CHECK(mentions(why_history_refused(calls("a", "get", "[]")), "must be a JSON object"));
  auto twice = calls("a", "get", "{}");
  CHECK(mentions(why_history_refused(twice + twice.substr(user.size())), "used twice"));
}

TEST_CASE("schemas are held to the provider's rules", "[apps][scripted_model]") {
  const auto why = [](const std::string& schema) {
    return why_refused(R"({"model":"text","messages":[)" + user +
                       R"(],"tools":[{"type":"function","function":{"name":"a","parameters":)" +
                       schema + "}}]}");
  };
  const auto property = [&](const std::string& schema) {
    return why(R"({"type":"object","properties":{"p":)" + schema + R"(},"$defs":{"A":{}}})");
  };
  CHECK(why(R"({"type":"object","properties":{}})").empty());
  CHECK(property(R"({"$ref":"#/$defs/A"})").empty());
  CHECK(property(R"({"type":"array","items":{"type":["string","null"]}})").empty());
  CHECK(mentions(why("{}"), "of type"));
  CHECK(mentions(why(R"({"type":"object"})"), "missing properties"));
  CHECK(mentions(why(R"({"type":"object","properties":{},"anyOf":[{}]})"), "top level"));
  for (auto bad : {"[]", "null", R"({"type":"array"})", R"({"type":"any"})", R"({"anyOf":[]})",
                   R"({"properties":[]})", R"({"required":null})", R"({"$ref":"#/gone"})",
                   R"({"description":null})", R"({"items":{"minimum":true}})"}) {
    INFO(bad);
    CHECK(mentions(property(bad), "invalid schema for function 'a'"));
  }
}

TEST_CASE("offered tools must be functions with names that fit", "[apps][scripted_model]") {
  const auto why = [](const std::string& tools) {
    return why_refused(R"({"model":"text","messages":[)" + user + R"(],"tools":[)" + tools + "]}");
  };
  CHECK(why(R"({"type":"function","function":{"name":"a-b_C9"}})").empty());
  CHECK(mentions(why(""), "must not be empty"));
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
  request_reader reader;
  chat_call out;
  std::string body =
      R"({"model":"echo","messages":[{"role":"user","content":[)"
      R"({"type":"text","text":"one "},{"type":"image_url","image_url":{"url":"https://x.example/a"}},)"
      R"({"type":"text","text":"two"}]}]})";
  REQUIRE_FALSE(reader.read(body, chat_dialect, out));
  CHECK(reader.talk().user_text == "one two");
}

TEST_CASE("the request log keeps the last sixty-four in order", "[apps][scripted_model]") {
  model_request_log log;
  for (uint64_t seq = 1; seq <= 100; ++seq)
    log.add({seq, "m", "/p", std::to_string(seq), true});
  std::vector<logged_request> all;
  log.copy_to(all);
  all.push_back({101, "m\"", "/q", "not {json", false});
  const auto text = to_json_array(all);
  CHECK(text.starts_with(R"([{"seq":38,"model":"m","body":38,"path":"/p"},)"));
  CHECK(text.ends_with(R"(,{"seq":101,"model":"m\"","body":"not {json","path":"/q"}])"));
  log.clear();
  all.clear();
  log.copy_to(all);
  CHECK(all.empty());
}

} // namespace scripted_model_requests_test

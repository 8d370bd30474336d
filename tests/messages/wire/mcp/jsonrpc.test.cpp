#include "messages/wire/mcp/jsonrpc.hpp"

#include "tests/support/catch.hpp"

namespace jsonrpc_test {

using namespace troupe;
using jsonrpc::malformed;
using jsonrpc::notification;
using jsonrpc::request;
using jsonrpc::response;

namespace {

template <class T>
T only(std::string_view text) {
  auto all = jsonrpc::parse(text);
  REQUIRE(all.size() == 1);
  INFO(text);
  if (auto* bad = std::get_if<malformed>(&all[0]))
    INFO(bad->reason);
  REQUIRE(std::holds_alternative<T>(all[0]));
  return std::get<T>(all[0]);
}

std::string reason(std::string_view text) {
  return only<malformed>(text).reason;
}

} // namespace

TEST_CASE("a request keeps its id and its params as they were written", "[messages][jsonrpc]") {
  auto read = only<request>(
      R"({"jsonrpc":"2.0","id":"a\u0062","method":"sampling/x","params":{ "a" : 1.0 },"more":[]})");
  CHECK(read.id == R"("a\u0062")");
  CHECK(read.method == "sampling/x");
  CHECK(read.params == R"({ "a" : 1.0 })");
  CHECK(only<request>(R"({"id":1.50,"method":"ping"})").id == "1.50");
  CHECK(only<request>(R"({"id":0,"method":"ping"})").params.empty());
}

TEST_CASE("a call without an id is a notification", "[messages][jsonrpc]") {
  auto read = only<notification>(R"({"jsonrpc":"2.0","method":"n","params":[1, 2]})");
  CHECK(read.method == "n");
  CHECK(read.params == "[1, 2]");
  CHECK(only<notification>(R"({"method":"n","id":null,"params":null})").params.empty());
}

TEST_CASE("a response keeps its result byte for byte", "[messages][jsonrpc]") {
  auto read = only<response>(
      R"( {"result": {"big": 123456789012345678901234567890, "lone":"\ud83d"} , "id": 7} )");
  CHECK(read.id == 7);
  CHECK_FALSE(read.is_error);
  CHECK(read.result == R"({"big": 123456789012345678901234567890, "lone":"\ud83d"})");
  CHECK(only<response>(R"({"id":1,"result":null})").result == "null");
  CHECK(only<response>(R"({"id":1,"result":"x","error":null})").result == R"("x")");
}

TEST_CASE("keys may be written with escapes, and the last of equal ones counts",
          "[messages][jsonrpc]") {
  CHECK(only<response>(R"({"\u0069d":7,"r\u0065sult":{}})").id == 7);
  CHECK(only<response>(R"({"id":7,"result":1,"id":8,"result":{"id":9}})").id == 8);
  CHECK(only<response>(R"({"id":7,"result":1,"result":2})").result == "2");
}

TEST_CASE("ids of responses may come back as floats and strings", "[messages][jsonrpc]") {
  CHECK(only<response>(R"({"id":12.0,"result":{}})").id == 12);
  CHECK(only<response>(R"({"id":1e2,"result":{}})").id == 100);
  CHECK(only<response>(R"({"id":"34","result":{}})").id == 34);
  for (auto id : {"1.5", "-4", "0", "null", "\"\"", "\"7x\"", "\"x\"", "{}", "true", "1e300",
                  "99999999999999999999999"}) {
    INFO(id);
    CHECK(only<response>(std::string{R"({"result":{},"id":)"} + id + "}").id == 0);
  }
  CHECK(only<response>(R"({"result":{}})").id == 0);
}

TEST_CASE("an error response brings code, message and data", "[messages][jsonrpc]") {
  auto read =
      only<response>(R"({"id":3,"error":{"code":-32601,"message":"no \"x\"","data":{"a": [1]}}})");
  CHECK(read.is_error);
  CHECK(read.error_code == jsonrpc::method_not_found);
  CHECK(read.error_message == "no \"x\"");
  CHECK(read.error_data == R"({"a": [1]})");
  CHECK(read.result.empty());
  CHECK(only<response>(R"({"id":3,"error":{}})").is_error);
  CHECK(only<response>(R"({"id":3,"error":"broken"})").error_message == "broken");
  CHECK(only<response>(R"({"id":3,"error":{"code":-32000.0}})").error_code == -32000);
}

TEST_CASE("a batch gives its messages in order", "[messages][jsonrpc]") {
  auto all = jsonrpc::parse(R"([{"method":"a"},{"id":1,"result":{}},{"id":2,"method":"b"}])");
  REQUIRE(all.size() == 3);
  CHECK(std::holds_alternative<notification>(all[0]));
  CHECK(std::holds_alternative<response>(all[1]));
  CHECK(std::holds_alternative<request>(all[2]));
  CHECK(reason("[]") == "the batch is empty");
}

TEST_CASE("bad elements of a batch are reported once and hide no good one", "[messages][jsonrpc]") {
  auto all = jsonrpc::parse(R"([1,2,{"method":"a"},{},[]])");
  REQUIRE(all.size() == 2);
  CHECK(std::holds_alternative<malformed>(all[0]));
  CHECK(std::holds_alternative<notification>(all[1]));
}

TEST_CASE("a batch of more than 10000 messages is cut off", "[messages][jsonrpc]") {
  std::string text = "[";
  for (int i = 0; i < 20'000; ++i)
    text += R"({"method":"a"},)";
  text.back() = ']';
  auto all = jsonrpc::parse(text);
  REQUIRE(all.size() == 10'001);
  CHECK(std::holds_alternative<malformed>(all.back()));
}

TEST_CASE("what is no JSON-RPC says why", "[messages][jsonrpc]") {
  CHECK(reason("") == "not JSON: a value is expected at byte 0");
  CHECK(reason("Server listening on port 1") == "not JSON: a value is expected at byte 0");
  CHECK(reason("{\"id\":1,") == "not JSON: a key is expected at byte 8");
  CHECK(reason("{\"method\":\"\xFF\"}") == "not JSON: the text is not valid UTF-8");
  CHECK(reason("1") == "a message must be an object");
  CHECK(reason("{}") == "a message must have method, result or error");
  CHECK(reason(R"({"jsonrpc":"1.0","method":"a"})") == "jsonrpc must be \"2.0\"");
  CHECK(reason(R"({"method":1})") == "method must be a string");
  CHECK(reason(R"({"method":"a","params":1})") == "params must be an object or an array");
  CHECK(reason(R"({"method":"a","id":{}})") == "id must be a number or a string");
}

TEST_CASE("a nesting bomb is malformed", "[messages][jsonrpc]") {
  for (auto piece : {"[", "{\"a\":", "{\"method\":\"a\",\"params\":["}) {
    std::string bomb;
    while (bomb.size() < 4 * 1024 * 1024)
      bomb += piece;
    CHECK(reason(bomb).find("nesting is too deep") != std::string::npos);
  }
}

TEST_CASE("a message of 16 MiB is read", "[messages][jsonrpc]") {
  std::string big(16 * 1024 * 1024, 'x');
  auto read = only<response>(R"({"id":1,"result":")" + big + "\"}");
  CHECK(read.result.size() == big.size() + 2);
}

TEST_CASE("a message that breaks off anywhere is malformed", "[messages][jsonrpc]") {
  const std::string whole =
      R"([{"jsonrpc":"2.0","id":"a\u00e9","method":"m","params":{"x":[1.5e3,true,null]}},)"
      R"({"id":2,"error":{"code":-1,"message":"\ud83d\ude00","data":{}}},{"id":3,"result":[]}])";
  REQUIRE(jsonrpc::parse(whole).size() == 3);
  for (size_t cut = 0; cut < whole.size(); ++cut)
    only<malformed>(std::string{whole.data(), cut});
}

TEST_CASE("messages are written as one line", "[messages][jsonrpc]") {
  CHECK(jsonrpc::make_request(5, "tools/call", "{\n\"a\":\r\n1}") ==
        R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{ "a":  1}})");
  CHECK(jsonrpc::make_request(5, "ping", "") == R"({"jsonrpc":"2.0","id":5,"method":"ping"})");
  CHECK(jsonrpc::make_notification("n\"", "{}") ==
        R"({"jsonrpc":"2.0","method":"n\"","params":{}})");
  CHECK(jsonrpc::make_result("\"x\"", "") == R"({"jsonrpc":"2.0","id":"x","result":{}})");
  CHECK(jsonrpc::make_result("1.0", "[1]") == R"({"jsonrpc":"2.0","id":1.0,"result":[1]})");
  CHECK(jsonrpc::make_error("3", jsonrpc::method_not_found, "no\n") ==
        R"({"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no\n"}})");
  CHECK(jsonrpc::make_error("", jsonrpc::parse_error, "") ==
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}})");
}

TEST_CASE("what is written can be read", "[messages][jsonrpc]") {
  CHECK(only<request>(jsonrpc::make_request(9, "m", "{\"a\":1}")).params == "{\"a\":1}");
  CHECK(only<notification>(jsonrpc::make_notification("m", "")).method == "m");
  CHECK(only<response>(jsonrpc::make_result("9", "{}")).id == 9);
  CHECK(only<response>(jsonrpc::make_error("9", -1, "x")).error_message == "x");
}

TEST_CASE("a response that cannot be read still says whose it is", "[messages][jsonrpc]") {
  const auto deep = R"({"jsonrpc":"2.0","id":3,"result":)" + std::string(2000, '[') +
                    std::string(2000, ']') + '}';
  CHECK(only<malformed>(deep).id == 3);
  CHECK(only<malformed>(deep).reason == "not JSON: the nesting is too deep at byte 544");
  CHECK(only<malformed>(R"({"jsonrpc":"1.0","id":3,"result":{}})").id == 3);
  CHECK(only<malformed>(R"({"jsonrpc":"2.0","id":3})").id == 3);
  CHECK(only<malformed>(R"({"id":3,"level":"info","msg":"a line of a log"})").id == 0);
  CHECK(only<malformed>(R"({"jsonrpc":"1.0","id":3,"method":"ping"})").id == 0);
}

TEST_CASE("an id that no request of ours can have makes a response anonymous",
          "[messages][jsonrpc]") {
  for (const auto* text :
       {R"({"error":{}})", R"({"id":null,"error":{}})", R"({"id":"x","error":{}})"})
    CHECK(only<response>(text).anonymous);
  CHECK_FALSE(only<response>(R"({"id":"4","error":{}})").anonymous);
}

} // namespace jsonrpc_test

#include "messages/wire/mcp/jsonrpc_peek.hpp"

#include "tests/support/catch.hpp"

namespace jsonrpc_peek_test {

using namespace troupe::jsonrpc;
using ids = std::vector<int64_t>;

TEST_CASE("the id of a response is found wherever it stands", "[messages][jsonrpc_peek]") {
  CHECK(response_ids(R"({"jsonrpc":"2.0","id":7,"result":{}})") == ids{7});
  CHECK(response_ids(R"({"result":{"id":1,"method":"x"},"jsonrpc":"2.0","id":8})") == ids{8});
  CHECK(response_ids(R"({"jsonrpc":"2.0","id":9,"error":{"code":-1,"message":""}})") == ids{9});
  CHECK(response_ids(R"({"id":"7","result":{}})") == ids{7});
  CHECK(response_ids(R"({"\u0069d":3,"result":null})") == ids{3});
}

TEST_CASE("every response of a batch is found", "[messages][jsonrpc_peek]") {
  CHECK(response_ids(R"([{"id":1,"result":{}},{"method":"m"},5,{"id":2,"error":{}}])") ==
        ids{1, 2});
}

TEST_CASE("what is no response of ours has no id", "[messages][jsonrpc_peek]") {
  for (const auto* text :
       {"", "{", "null", "7", "\"id\"", "[", R"({"id":1,"method":"ping"})", R"({"method":"n"})",
        R"({"id":"a","result":{}})", R"({"id":null,"error":{}})", R"({"id":1})",
        R"({"id":1,"result")", R"({"result":{}})", "\xFF\xFE", R"({"id":1.5,"result":{}})"}) {
    INFO(text);
    CHECK(response_ids(text).empty());
  }
}

TEST_CASE("a glance tells responses, errors among them, and what is strange",
          "[messages][jsonrpc_peek]") {
  CHECK_FALSE(look_at(R"({"id":7,"result":{}})").refuses);
  CHECK_FALSE(look_at(R"({"id":7,"error":null,"result":{}})").refuses);
  CHECK(look_at(R"({"id":7,"error":{"code":-1}})").refuses);
  for (const auto* text : {R"({"id":7,"result":{}})", R"({"method":"n"})", R"([{"method":"n"}])",
                           R"({"id":1,"method":"ping"})"})
    CHECK_FALSE(look_at(text).strange);
  for (const auto* text :
       {"", "x", "{}", "[5]", R"({"id":null,"error":{}})", R"({"id":1)",
        R"([{"method":"n"},{"id":null,"error":{}}])", "{\"id\":1,\"result\":\"\xFF\"}"})
    CHECK(look_at(text).strange);
}

TEST_CASE("a closer look tells if a text is the end of its request", "[messages][jsonrpc_peek]") {
  SECTION("an error without a usable id is") {
    for (const auto* id : {"", R"("id":null,)", R"("id":"server-error",)", R"("id":{},)"}) {
      const auto said =
          look_closer(std::string{"{"} + id + R"("error":{"code":-32603,"message":"not now"}})", 3);
      CHECK(said.ours);
      CHECK(said.refuses);
      CHECK(said.code == -32603);
      CHECK(said.words == "not now");
    }
  }
  SECTION("an error of another request is not") {
    const auto said = look_closer(R"({"id":4,"error":{"code":-1,"message":"x"}})", 3);
    CHECK_FALSE(said.ours);
    CHECK(said.fault == "its id is 4, not 3");
  }
  SECTION("a result without the id is not") {
    CHECK_FALSE(look_closer(R"({"id":null,"result":{}})", 3).ours);
    CHECK(look_closer(R"({"result":{}})", 3).fault == "its id is none that was given");
  }
  SECTION("a response that cannot be read is") {
    const auto said = look_closer("{\"id\":3,\"result\":\"\xFF\"}", 3);
    CHECK(said.ours);
    CHECK_FALSE(said.refuses);
    CHECK(said.fault == "not JSON: the text is not valid UTF-8");
  }
  SECTION("in a batch the one that matters counts") {
    const auto said =
        look_closer(R"([{"method":"n"},{"id":4,"result":{}},{"id":3,"result":{}}])", 3);
    CHECK(said.ours);
    CHECK_FALSE(said.refuses);
  }
  SECTION("a call is not, and nothing is wrong with it") {
    CHECK_FALSE(look_closer(R"({"id":3,"method":"ping"})", 3).ours);
    CHECK(look_closer(R"({"method":"n"})", 3).fault.empty());
  }
}

TEST_CASE("a broken text gives its id away if it looks like a response",
          "[messages][jsonrpc_peek]") {
  const std::string deep(3000, '[');
  CHECK(broken_response(R"({"jsonrpc":"2.0","id":7,"result":{"a":)" + deep) == 7);
  CHECK(broken_response(R"({"result":{"a":)" + deep + std::string(3000, ']') + R"(},"id":"8"})") ==
        8);
  CHECK(broken_response("{\"id\":9,\"error\":{\"message\":\"\xFF\xC0") == 9);
  CHECK(broken_response("{\"id\":10,\"result\":\"a\nb\"}") == 10);
  CHECK(broken_response(R"({"id":11,"result":{}}Content-Length: 12)") == 11);
  CHECK(broken_response(R"( {"result":"a \"id\":5, \\","id" : 12 ,)") == 12);
  for (const auto* text :
       {"", "[", "{", "{\"not\": json", R"({"id":7)", R"({"id":7,"resu)", R"({"result":{},"id":12)",
        R"({"id":7,"method":"m","result":)", R"({"result":{"id":7},)", R"({"id":"x","result":[)",
        R"({"id":-7,"result":[)", R"({"a":"id","b":7,"result":[)", R"([{"id":7,"result":[)",
        R"({"level":"info","id":7,"msg":"x)", R"(}{"id":7,"result":[)", R"({"id":7}{"result":[)"}) {
    INFO(text);
    CHECK(broken_response(text) == 0);
  }
}

TEST_CASE("the cancelled request is found", "[messages][jsonrpc_peek]") {
  CHECK(cancelled_request(
            R"({"method":"notifications/cancelled","params":{"reason":"x","requestId":12}})") ==
        12);
  CHECK(cancelled_request(R"({"method":"notifications/cancelled"})") == 0);
  CHECK(cancelled_request("{\"params\":[") == 0);
}

} // namespace jsonrpc_peek_test

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

TEST_CASE("the cancelled request is found", "[messages][jsonrpc_peek]") {
  CHECK(cancelled_request(
            R"({"method":"notifications/cancelled","params":{"reason":"x","requestId":12}})") ==
        12);
  CHECK(cancelled_request(R"({"method":"notifications/cancelled"})") == 0);
  CHECK(cancelled_request("{\"params\":[") == 0);
}

} // namespace jsonrpc_peek_test

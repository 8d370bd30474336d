#include "apps/bench/target/chat_history.hpp"
#include "apps/bench/target/http/answer_reader.hpp"
#include "apps/bench/target/http/http_dialect.hpp"
#include "apps/bench/target/listening_process.hpp"
#include "apps/bench/target/target_address.hpp"
#include "tests/support/catch.hpp"

namespace bench_target_parts_test {

using namespace troupe;
using namespace troupe::bench;

TEST_CASE("addresses may be whole URLs, or what stands before the known path", "[apps][bench]") {
  CHECK(address_with("127.0.0.1:8080", "/api/chat") == "http://127.0.0.1:8080/api/chat");
  CHECK(address_with("http://h/x/", "/api/chat") == "http://h/x/api/chat");
  CHECK(address_with("http://h/api/chat", "/api/chat") == "http://h/api/chat");
  CHECK(completions_address("https://h") == "https://h/v1/chat/completions");
  CHECK(completions_address("https://h/v1/") == "https://h/v1/chat/completions");
  CHECK(completions_address("https://h/v1beta/openai") ==
        "https://h/v1beta/openai/chat/completions");
  CHECK(completions_address("http://h/v1/chat/completions") == "http://h/v1/chat/completions");
}

TEST_CASE("a query stays behind the path that an address is given", "[apps][bench]") {
  CHECK(completions_address("https://h/deployments/m?api-version=1/2") ==
        "https://h/deployments/m/chat/completions?api-version=1/2");
  CHECK(completions_address("h?a=b/c") == "http://h/v1/chat/completions?a=b/c");
  CHECK(completions_address("http://h/v1/chat/completions?a=b") ==
        "http://h/v1/chat/completions?a=b");
  CHECK(models_address("http://h/v1/chat/completions?a=b") == "http://h/v1/models?a=b");
  CHECK(address_with("http://h/?a=b#c", "/api/chat") == "http://h/api/chat?a=b");
  CHECK(base_address("http://h/my/chat/?to=/x/") == "http://h/my/chat?to=/x/");
  CHECK(troupe_address("http://h/p/api/chat?key=1", "/readyz") == "http://h/p/readyz?key=1");
  CHECK(troupe_address("h:1/v1/", "/readyz") == "http://h:1/readyz");
  CHECK_FALSE(has_path("http://h?a=/b"));
}

TEST_CASE("the port of an address counts only on this machine", "[apps][bench]") {
  CHECK(loopback_port("http://127.0.0.1:8080/api/chat") == 8080);
  CHECK(loopback_port("localhost:81") == 81);
  CHECK(loopback_port("http://[::1]:82") == 82);
  CHECK(loopback_port("https://localhost/x:1") == 443);
  CHECK(loopback_port("http://example.com:8080") == 0);
}

TEST_CASE("nobody listens on a port that nobody listens on", "[apps][bench]") {
  CHECK(listening_process(0) == 0);
}

TEST_CASE("a made-up history alternates, ends with the assistant and is always the same",
          "[apps][bench]") {
  chat_history one, other;
  one.make_up(5);
  other.make_up(5);
  REQUIRE(one.messages().size() == 5);
  CHECK(one.messages()[0].who == role::assistant);
  CHECK(one.messages()[1].who == role::user);
  CHECK(one.messages()[4].who == role::assistant);
  CHECK(one.messages()[4].text == other.messages()[4].text);
  one.add_user("a \"b\"");
  CHECK(one.messages().back().text == "a \\\"b\\\"");
  CHECK(one.messages().back().id == "m6");
}

TEST_CASE("of a long chat the newest messages are kept", "[apps][bench]") {
  chat_history chat;
  const std::string large(chat_history::max_text_bytes / 2, 'x');
  for (int i = 0; i < 4; ++i)
    chat.add_answer(large, std::to_string(i));
  REQUIRE(chat.messages().size() == 2);
  CHECK(chat.messages().back().id == "3");
}

TEST_CASE("a refusal has the code of its body, or the one nearest to its status", "[apps][bench]") {
  CHECK(refused_turn(409, "").code == errc::session_busy);
  CHECK(refused_turn(404, R"({"error":{"code":"model_unknown"}})").code == errc::model_unknown);
  CHECK(refused_turn(404, R"({"error":{"code":"none of ours"}})").code == errc::not_found);
  CHECK(refused_turn(418, "<b>tea</b>").text() == "HTTP 418: tea");
  CHECK(refused_turn(599, std::string(5000, 'x')).text().size() <= 200);
}

} // namespace bench_target_parts_test

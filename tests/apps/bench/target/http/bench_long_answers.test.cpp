// Chats whose answers are long: later turns bring them.
#include "apps/bench/target/http/http_target.hpp"
#include "tests/apps/bench/target/bench_target_fixture.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/raw_server.hpp"

namespace bench_long_answers_test {

using namespace troupe;
using namespace troupe::test;
using bench::target_kind;

namespace {

constexpr size_t piece_bytes = 1024;

/// Returns the request that follows an answer of so many pieces.
std::string request_after(size_t pieces) {
  std::string answer;
  for (size_t i = 0; i < pieces; ++i)
    answer += R"(data: {"choices":[{"index":0,"delta":{"content":")" +
              std::string(piece_bytes, 'x') + "\"}}]}\n\n";
  mailbox<std::string> asked;
  raw_server server{[&](raw_connection& in) {
    while (auto request = in.request()) {
      asked.put(*request);
      in.send(plain_answer(answer + "data: [DONE]\n\n"));
    }
  }};
  auto plan = plan_of(target_kind::openai, server.url());
  plan.work.turns = 2;
  target_fixture side{plan};
  side.run(ask_of("s", 0, "first"));
  side.run(ask_of("s", 1, "second"));
  asked.take();
  return asked.take();
}

} // namespace

TEST_CASE("an answer of up to 1 MiB is brought again whole", "[apps][bench]") {
  const std::string assistant = R"({"role":"assistant","content":"xxx)";
  const auto after = request_after(200);
  CHECK(after.find("first") != std::string::npos);
  CHECK(after.find(assistant) != std::string::npos);
  CHECK(after.size() > 200 * piece_bytes);
  const auto after_too_long = request_after(1025);
  CHECK(after_too_long.find(assistant) == std::string::npos);
  CHECK(after_too_long.find("second") != std::string::npos);
}

} // namespace bench_long_answers_test

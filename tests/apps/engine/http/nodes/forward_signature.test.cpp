// The signature of requests that one node forwards to another.
#include "apps/engine/http/nodes/forward_signature.hpp"

#include <chrono>
#include <string>

#include "tests/support/catch.hpp"

namespace forward_signature_test {

using namespace std::chrono_literals;
using namespace troupe;

namespace {

constexpr std::string_view secret = "a secret of sixteen letters";
constexpr std::string_view said = R"({"message":"hello"})";
constexpr std::chrono::milliseconds sent{1'700'000'000'000};

/// What the tests change one part of.
struct stamp_parts {
  std::string sender{"a"}, sent{"1700000000000"}, method{"POST"};
  std::string target{"/v1/sessions/c/turns?x=1"}, owner{"alice"}, limit{"3"}, to{"42"};
  std::string body{forward_signature::digest(said)};

  forward_stamp view() const { return {sender, sent, method, target, owner, limit, to, body}; }
};

} // namespace

TEST_CASE("a signature is the HMAC-SHA256 of all parts, each with its length",
          "[apps][forward_signature]") {
  // Made with another implementation.
  const forward_signature ours{secret};
  CHECK(forward_signature::digest(said) ==
        "9b2d43affbf49a367028df2e1414f84c0e099ac98c3d54a8a80157fd7771af25");
  CHECK(ours.of(stamp_parts{}.view()) ==
        "ac318da0c59b9fad251c7188583f67984e4689b69e41653c16a289df58ac0f0a");
  CHECK(forward_signature::digest("") ==
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("a request is taken as it was signed, and with no part changed",
          "[apps][forward_signature]") {
  const forward_signature ours{secret};
  const stamp_parts good;
  const auto signature = ours.of(good.view());
  CHECK(ours.judge(good.view(), signature, sent) == forward_verdict::good);
  for (auto part :
       {&stamp_parts::sender, &stamp_parts::sent, &stamp_parts::method, &stamp_parts::target,
        &stamp_parts::owner, &stamp_parts::limit, &stamp_parts::to, &stamp_parts::body}) {
    auto changed = good;
    (changed.*part).back() ^= 1;
    CHECK(ours.judge(changed.view(), signature, sent) == forward_verdict::wrong);
    (changed.*part).clear();
    CHECK(ours.judge(changed.view(), signature, sent) == forward_verdict::wrong);
  }
}

TEST_CASE("bytes that move from one part to the next are another request",
          "[apps][forward_signature]") {
  const forward_signature ours{secret};
  stamp_parts a, b;
  a.owner = "alice3", a.limit = "";
  b.owner = "alice", b.limit = "3";
  CHECK(ours.of(a.view()) != ours.of(b.view()));
  a.owner = "x\n1:3", a.limit = "";
  b.owner = "x", b.limit = "3";
  CHECK(ours.of(a.view()) != ours.of(b.view()));
}

TEST_CASE("only the secret of the cluster makes its signatures", "[apps][forward_signature]") {
  const forward_signature ours{secret}, theirs{"another secret of letters"};
  const stamp_parts good;
  const auto signature = ours.of(good.view());
  CHECK(ours.judge(good.view(), theirs.of(good.view()), sent) == forward_verdict::wrong);
  CHECK(ours.judge(good.view(), "", sent) == forward_verdict::missing);
  CHECK(ours.judge(good.view(), "x", sent) == forward_verdict::wrong);
  CHECK(ours.judge(good.view(), signature.substr(1), sent) == forward_verdict::wrong);
  CHECK(ours.judge(good.view(), signature + '0', sent) == forward_verdict::wrong);
}

TEST_CASE("a request is taken for thirty seconds, by clocks that differ as much",
          "[apps][forward_signature]") {
  const forward_signature ours{secret};
  const stamp_parts good;
  const auto signature = ours.of(good.view());
  const auto after = [&](std::chrono::milliseconds age) {
    return ours.judge(good.view(), signature, sent + age);
  };
  CHECK(after(30s) == forward_verdict::good);
  CHECK(after(-30s) == forward_verdict::good);
  CHECK(after(30'001ms) == forward_verdict::old);
  CHECK(after(-30'001ms) == forward_verdict::old);
  for (const auto* text : {"", "x", "1e3", "99999999999999999999", " 1700000000000"}) {
    auto odd = good;
    odd.sent = text;
    CHECK(ours.judge(odd.view(), ours.of(odd.view()), sent) == forward_verdict::old);
  }
}

} // namespace forward_signature_test

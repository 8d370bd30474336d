#include "messages/store/chat_claim.hpp"

#include "tests/support/catch.hpp"

namespace chat_claim_test {

using namespace troupe;

namespace {

constexpr uint64_t me = 7, other = 8;

/// Returns what is said of a save, by the version and fence that it has and that the store has.
struct verdict {
  claim_state state;
  bool anew;
  bool operator==(const verdict&) const = default;
};

verdict of(const chat_claim& claim, const stored_claim& now) {
  bool anew = false;
  const auto state = judge(claim, now, me, anew);
  return {state, anew && state == claim_state::held};
}

chat_claim taking(uint64_t version, chat_fence fence) {
  return {true, false, version, fence};
}

chat_claim holding(chat_fence fence) {
  return {false, false, 0, fence};
}

constexpr verdict claimed{claim_state::held, true};
constexpr verdict held{claim_state::held, false};
constexpr verdict stale{claim_state::stale, false};
constexpr verdict held_elsewhere{claim_state::held_elsewhere, false};
constexpr verdict lost{claim_state::lost, false};

} // namespace

TEST_CASE("a free chat is claimed by who has it as it is", "[messages][chat_claim]") {
  CHECK(of(taking(0, {}), {}) == claimed);
  CHECK(of(taking(3, {0, 5}), {3, {0, 5}}) == claimed);
  CHECK(of(taking(2, {0, 5}), {3, {0, 5}}) == stale);
  CHECK(of(taking(3, {0, 4}), {3, {0, 5}}) == stale);
  CHECK(of(taking(0, {}), {3, {0, 5}}) == stale);
  CHECK(of(taking(3, {0, 5}), {}) == stale); // it was removed
}

TEST_CASE("a held chat is claimed by its holder only", "[messages][chat_claim]") {
  CHECK(of(taking(3, {me, 5}), {3, {me, 5}}) == claimed);
  CHECK(of(taking(3, {0, 5}), {3, {me, 5}}) == stale);
  CHECK(of(taking(3, {me, 5}), {3, {other, 5}}) == held_elsewhere);
}

TEST_CASE("a claim that is done goes on when it is sent again", "[messages][chat_claim]") {
  CHECK(of(taking(3, {0, 4}), {4, {me, 5}, true}) == held);
  CHECK(of(taking(3, {0, 4}), {4, {other, 5}, true}) == held_elsewhere);
  auto whole = taking(3, {0, 4});
  whole.gives = true;
  CHECK(of(whole, {4, {0, 5}, true}) == held);
  CHECK(of(taking(3, {me, 5}), {4, {0, 5}, true}) == claimed); // with the next turn
}

TEST_CASE("a fence holds while it is the chat's", "[messages][chat_claim]") {
  CHECK(of(holding({me, 5}), {3, {me, 5}}) == held);
  CHECK(of(holding({me, 5}), {3, {0, 5}}) == held); // the last save is sent again
  CHECK(of(holding({me, 5}), {3, {me, 6}}) == lost);
  CHECK(of(holding({me, 5}), {3, {other, 5}}) == lost);
  CHECK(of(holding({other, 5}), {3, {other, 5}}) == lost); // it is not this node's
  CHECK(of(holding({me, 5}), {}) == lost);
}

TEST_CASE("who has no fence writes a free chat only", "[messages][chat_claim]") {
  CHECK(of({}, {}) == held);
  CHECK(of({}, {3, {0, 5}}) == held);
  CHECK(of({}, {3, {me, 5}}) == held_elsewhere);
  const chat_claim versioned{false, false, 3, {0, 5}};
  CHECK(of(versioned, {3, {0, 5}}) == held);
  CHECK(of(versioned, {4, {0, 5}}) == stale);
}

TEST_CASE("each refusal has its error", "[messages][chat_claim]") {
  CHECK(claim_fault(claim_state::stale).code == errc::conversation_changed);
  CHECK(claim_fault(claim_state::held_elsewhere).code == errc::session_busy);
  CHECK(claim_fault(claim_state::lost).code == errc::turn_lost);
  CHECK_FALSE(claim_fault(claim_state::held));
  CHECK_FALSE(claim_fault(claim_state::none));
}

} // namespace chat_claim_test

#include "actors/quiet.hpp"

#include <new>

#include <caf/all.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/deterministic.hpp"

namespace quiet_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Answers each number; over 0 it runs out of memory.
caf::behavior short_of_memory(caf::event_based_actor* self) {
  quiet(self);
  return {[](int what) {
    if (what == 0)
      throw std::bad_alloc{};
    return what;
  }};
}

} // namespace

TEST_CASE("a request over which an actor crashes is answered with the error", "[actors][quiet]") {
  deterministic world;
  auto actor = world.sys.spawn(short_of_memory);
  int answered = 0;
  int failed = 0;
  world.sys.spawn([&](caf::event_based_actor* self) {
    for (int what : {7, 0, 8})
      self->request(actor, caf::infinite, what)
          .then([&](int got) { answered += got; }, [&](const caf::error&) { ++failed; });
  });
  world.run();
  CHECK(answered == 7);
  CHECK(failed == 2); // the one over which it crashed, and the one after that
}

} // namespace quiet_test

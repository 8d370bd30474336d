#include "actors/model/model_stream_intake.hpp"

#include "messages/wire/providers.hpp"

#include <caf/all.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/deterministic.hpp"

namespace model_stream_intake_test {

using namespace troupe;
using namespace troupe::test;

namespace {

http_part text(const std::string& bytes) {
  http_part part;
  part.bytes = R"(data: {"choices":[{"index":0,"delta":{"content":")" + bytes + "\"}}]}\n\n";
  return part;
}

} // namespace

TEST_CASE_METHOD(deterministic, "no part of an answer overtakes one that is still being told",
                 "[actors][model_stream]") {
  caf::scoped_actor stream{sys}, reader{sys};
  const auto handle_of = [](caf::scoped_actor& which) {
    return caf::actor_cast<caf::strong_actor_ptr>(which.ptr());
  };
  model_stream_intake intake{sys.clock(), caf::actor_cast<model_stream_actor>(handle_of(stream)), 1,
                             find_provider("openai")->make_decoder({}, "x")};
  intake.go_on(caf::actor_cast<model_reader_actor>(handle_of(reader)), 0);
  auto head = text("a");
  head.status = 200;
  head.content_type = "text/event-stream";
  std::vector<event> events;
  intake.arrive(http_part{head});
  intake.read(head, events);
  intake.arrive(text("b")); // "a" is decoded, and the reader has not been told of it
  CHECK_FALSE(reader->has_next_message());
  intake.told();
  intake.arrive(text("c")); // "b" is on its way
  CHECK_FALSE(reader->has_next_message());
  intake.read(text("b"), events);
  intake.told();
  intake.read(text("c"), events);
  intake.told();
  intake.arrive(text("d"));
  CHECK(reader->has_next_message());
}

} // namespace model_stream_intake_test

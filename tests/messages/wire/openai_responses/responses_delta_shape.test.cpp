// Deltas of a known shape are read without a parser, and mean the same.
#include "messages/wire/openai_responses/responses_answer.hpp"

#include <string>

#include "messages/wire/json/json_source.hpp"
#include "tests/support/catch.hpp"

namespace responses_delta_shape_test {

using namespace troupe;

namespace {

std::string delta(std::string_view text, int number = 4, std::string_view item = "msg_1") {
  return fmt::format(R"({{"type":"response.output_text.delta","sequence_number":{},)"
                     R"("item_id":"{}","output_index":2,"content_index":1,"delta":"{}",)"
                     R"("logprobs":[],"obfuscation":"xYz"}})",
                     number, item, text);
}

constexpr std::string_view type = "response.output_text.delta";

std::string as_event(const std::string& json) {
  return fmt::format("event: {}\ndata: {}\n\n", type, json);
}

/// A shape that was learned from one event.
class learned {
public:
  explicit learned(const std::string& json, std::string_view named = type) : source_{json} {
    responses_event read;
    REQUIRE(read_responses_event(source_.root(), read));
    shape.learn(named, read);
  }

  responses_delta_shape shape;

private:
  json_source source_;
};

} // namespace

TEST_CASE("a delta with another number, text and padding has the known shape",
          "[messages][openai_responses]") {
  learned known{delta("Hel")};
  std::string_view literal;
  const auto next = as_event(delta(R"(l\"o {})", 1000));
  const auto twice = next + next; // the literal is a part of it
  CHECK(known.shape.match_event(twice, literal) == next.size());
  CHECK(literal == R"("l\"o {}")");
  const auto empty = delta("", 5);
  CHECK(known.shape.match(type, empty) == R"("")");
  CHECK(known.shape.kind() == responses_event_kind::text);
  CHECK(known.shape.output_index() == 2);
  CHECK(known.shape.part_index() == 1);
}

TEST_CASE("an event of another item, type or end has another shape",
          "[messages][openai_responses]") {
  learned known{delta("Hel")};
  std::string_view literal;
  CHECK(known.shape.match_event(as_event(delta("x", 5, "msg_2")), literal) == 0);
  CHECK(known.shape.match("", delta("x")).empty());
  CHECK(known.shape.match(type, delta("x") + " ").empty());
  CHECK(known.shape.match(type, delta("x\n")).empty());
  CHECK(known.shape.match(type, delta("\xFF")).empty());
  const auto whole = as_event(delta("x"));
  for (size_t bytes = 0; bytes < whole.size(); ++bytes)
    CHECK(known.shape.match_event(std::string_view{whole}.substr(0, bytes), literal) == 0);
  auto no_number = delta("x");
  no_number.replace(no_number.find(":4,"), 3, ":-4,");
  CHECK(known.shape.match(type, no_number).empty());
  no_number.replace(no_number.find(":-4,"), 4, ":04,");
  CHECK(known.shape.match(type, no_number).empty());
}

TEST_CASE("only deltas of text have a shape, and shapes that never come again are given up",
          "[messages][openai_responses]") {
  const std::string call = R"({"type":"response.function_call_arguments.delta","delta":"x"})";
  learned of_call{call, ""};
  CHECK(of_call.shape.match("", call).empty());
  responses_delta_shape shape;
  for (int i = 0; i < 20; ++i) {
    const json_source source{delta("x", 4, "msg_" + std::to_string(i))};
    responses_event read;
    REQUIRE(read_responses_event(source.root(), read));
    shape.learn(type, read);
  }
  CHECK(shape.match(type, delta("x", 4, "msg_19")).empty());
}

} // namespace responses_delta_shape_test

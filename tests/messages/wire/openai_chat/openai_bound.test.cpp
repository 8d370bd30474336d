// Servers that know one name of the bound only get that one, once they have refused the other.
#include "messages/wire/openai_chat/openai_chat.hpp"

#include "messages/wire/providers.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/support/catch.hpp"

namespace openai_bound_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Returns the name that a model's server gets after that refusal.
bound_name after(std::string_view refusal) {
  const model_config model;
  const auto learned = learn_openai_bound(model, refusal);
  CHECK(learned == (model.lessons.bound() != bound_name::usual));
  return model.lessons.bound();
}

std::string body_of(const model_config& model, std::string_view parameters,
                    uint32_t max_tokens = 0) {
  const std::vector<chat_message> history{user_message("hi")};
  return accepted_body(
      "openai",
      {.model = model, .history = history, .max_tokens = max_tokens, .parameters = parameters});
}

bool says(const std::string& body, std::string_view text) {
  return body.find(text) != std::string::npos;
}

} // namespace

TEST_CASE("a refusal of one name of the bound teaches the other", "[messages][openai_chat]") {
  for (const auto* refusal :
       {"Unsupported parameter: 'max_tokens' is not supported with this model. Use "
        "'max_completion_tokens' instead.",
        "This model requires `max_completion_tokens` instead of `max_tokens`.",
        "UNKNOWN PARAMETER: MAX_TOKENS"}) {
    INFO(refusal);
    CHECK(after(refusal) == bound_name::newer);
  }
  for (const auto* refusal : {"Unrecognized request argument supplied: max_completion_tokens",
                              "Unknown name \"max_completion_tokens\": Cannot find field.",
                              "Use max_tokens instead of max_completion_tokens."}) {
    INFO(refusal);
    CHECK(after(refusal) == bound_name::old);
  }
}

TEST_CASE("a refusal of anything else teaches nothing", "[messages][openai_chat]") {
  for (const auto* refusal :
       {"", "Unsupported parameter: 'temperature' is not supported with this model.",
        "max_tokens is too large: 100000. This model supports at most 16384 completion tokens.",
        "max_completion_tokens: must be at least 1"}) {
    INFO(refusal);
    CHECK(after(refusal) == bound_name::usual);
  }
}

TEST_CASE("what was learned holds for every request to the model, whatever it calls the bound",
          "[messages][openai_chat]") {
  model_config model;
  model.generation.max_output_tokens = 9;
  CHECK(says(body_of(model, ""), R"("max_tokens":9)"));
  REQUIRE(learn_openai_bound(model, "unsupported parameter max_tokens"));
  CHECK(says(body_of(model, ""), R"("max_completion_tokens":9)"));
  CHECK(says(body_of(model, R"({"max_tokens":5})"), R"("max_completion_tokens":5)"));
  CHECK_FALSE(says(body_of(model, R"({"max_tokens":5})"), R"("max_tokens")"));
  CHECK(says(body_of(model, "", 64), R"("max_completion_tokens":64)"));
  CHECK_FALSE(says(body_of({}, ""), "max_")); // no bound is made up
}

} // namespace openai_bound_test

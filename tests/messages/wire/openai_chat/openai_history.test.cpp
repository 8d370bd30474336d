// Whatever a chat came to, what goes to the model is a request that the strictest server takes, and
// nothing that the user wrote is lost.
#include <string>
#include <vector>

#include "messages/wire/providers.hpp"
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/messages/wire/provider/random_chat.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/request_rules.hpp"

namespace openai_history_test {

using namespace troupe;
using namespace troupe::test;

namespace {

std::string body_of(const std::vector<chat_message>& history, bool images,
                    std::string_view system = {}) {
  model_config model;
  model.name = "m";
  model.images = images;
  return accepted_body("openai", {.model = model, .history = history, .system = system});
}

} // namespace

TEST_CASE("2000 random histories are sent as requests that strict servers take",
          "[messages][openai_chat]") {
  random_chat random{20'261'125};
  for (int i = 0; i < 2000; ++i) {
    auto history = random.make();
    INFO("history " << i);
    auto body = body_of(history, i % 2 == 0, i % 3 == 0 ? "Be kind." : "");
    INFO(body);
    for (const auto& text : random.texts)
      REQUIRE(body.find(text) != std::string::npos);
    REQUIRE(body == body_of(history, i % 2 == 0, i % 3 == 0 ? "Be kind." : ""));
  }
}

} // namespace openai_history_test

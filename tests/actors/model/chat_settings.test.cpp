#include "actors/model/chat_settings.hpp"

#include "tests/support/catch.hpp"

namespace chat_settings_test {

using namespace troupe;

TEST_CASE("an asked name stands for a model: itself, an alias, or what unknown names stand for",
          "[actors][chat_settings]") {
  chat_settings settings;
  settings.models["a"];
  settings.models["b"];
  settings.default_model = "a";
  CHECK(settings.model_for("") == "a");
  CHECK(settings.model_for("b") == "b");
  CHECK(settings.model_for("gpt") == "gpt");
  settings.aliases["gpt"] = "b";
  CHECK(settings.model_for("gpt") == "b");
  CHECK(settings.model_for("other") == "other");
  settings.aliases["*"] = "a";
  CHECK(settings.model_for("gpt") == "b");
  CHECK(settings.model_for("other") == "a");
  CHECK(settings.model_for("b") == "b");
}

} // namespace chat_settings_test

#include "apps/engine/configuration/model_entry.hpp"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "apps/engine/environment_models.hpp"
#include "messages/wire/providers.hpp"
#include "tests/support/catch.hpp"

namespace model_environment_test {

using namespace troupe;

namespace {

/// Sets the variables of all providers, and puts back what was there.
class environment_of_models {
public:
  explicit environment_of_models(const std::map<std::string, std::string>& set) {
    for (auto name : provider_names()) {
      const auto& of = find_provider(name)->environment;
      for (auto each : {of.key, of.other_key, of.base_url, of.model})
        if (!each.empty())
          keep(std::string{each});
    }
    for (const auto& [name, value] : set)
      ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~environment_of_models() {
    for (const auto& [name, value] : before_)
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
  }
  environment_of_models(const environment_of_models&) = delete;
  environment_of_models& operator=(const environment_of_models&) = delete;

private:
  void keep(const std::string& name) {
    const auto* value = std::getenv(name.c_str());
    before_.emplace(name, value == nullptr ? std::nullopt : std::optional<std::string>{value});
    ::unsetenv(name.c_str());
  }

  std::map<std::string, std::optional<std::string>> before_;
};

model_config only_model(const engine_config& config) {
  REQUIRE(config.models.size() == 1);
  return config.models.begin()->second;
}

} // namespace

TEST_CASE("a key in the environment brings its provider's usual model", "[apps][config]") {
  const environment_of_models set{{{"OPENAI_API_KEY", "sk-1"}}};
  engine_config config;
  REQUIRE_FALSE(add_environment_model(config));
  const auto model = only_model(config);
  CHECK(model.name == "gpt-4o-mini");
  CHECK(model.api_key == "sk-1");
  CHECK(model.base_url == "https://api.openai.com/v1");
  CHECK(config.model_source == "OPENAI_API_KEY");
}

TEST_CASE("an address in the environment needs no key", "[apps][config]") {
  const environment_of_models set{
      {{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1"}, {"OPENAI_MODEL", "local"}}};
  engine_config config;
  REQUIRE_FALSE(add_environment_model(config));
  CHECK(only_model(config).base_url == "http://127.0.0.1:1/v1");
  CHECK(only_model(config).name == "local");
  CHECK(config.model_source == "OPENAI_BASE_URL");
}

TEST_CASE("the environment adds nothing to a configuration", "[apps][config]") {
  const environment_of_models set{{{"OPENAI_API_KEY", "sk-1"}}};
  engine_config config;
  config.models.emplace("mine", model_config{});
  REQUIRE_FALSE(add_environment_model(config));
  CHECK(config.models.size() == 1);
  CHECK(config.model_source.empty());
}

TEST_CASE("what the environment has is checked, and named", "[apps][config]") {
  engine_config config;
  {
    const environment_of_models set{{{"OPENAI_API_KEY", "sk\r"}}};
    CHECK(add_environment_model(config).message ==
          "OPENAI_API_KEY must not hold control characters, such as a line end");
  }
  const environment_of_models set{{{"OPENAI_BASE_URL", "localhost:1"}}};
  CHECK(add_environment_model(config).message.find("OPENAI_BASE_URL must be an http") == 0);
}

TEST_CASE("a model is named by its provider and its name there", "[apps][config]") {
  const environment_of_models set{{{"OPENAI_API_KEY", "sk-1"}}};
  model_config made;
  REQUIRE_FALSE(make_named_model("openai/org/big", made));
  CHECK(made.name == "openai/org/big");
  CHECK(made.model == "org/big");
  CHECK(made.api_key == "sk-1");
  for (auto name : {"small", "nobody/small", "openai/", "/x", ""})
    CHECK(make_named_model(name, made).code == errc::model_unknown);
}

TEST_CASE("a provider's own address needs its key", "[apps][config]") {
  model_config made;
  {
    const environment_of_models none{{}};
    CHECK(make_named_model("openai/small", made).message ==
          "the model openai/small needs an API key: set OPENAI_API_KEY");
  }
  const environment_of_models set{{{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1"}}};
  REQUIRE_FALSE(make_named_model("openai/small", made));
  CHECK(made.base_url == "http://127.0.0.1:1/v1");
}

TEST_CASE("a model without an address has its provider's, and the key that goes there",
          "[apps][config]") {
  const environment_of_models set{{{"OPENAI_API_KEY", "sk-1"}}};
  engine_config config;
  REQUIRE_FALSE(parse_config(
      R"({"models":{"a":{"model":"m"},"b":{"base_url":"http://127.0.0.1:1/v1"},"c":{"api_key":"own"}}})",
      config));
  CHECK(config.models["a"].base_url == "https://api.openai.com/v1");
  CHECK(config.models["a"].api_key == "sk-1");
  CHECK(config.models["b"].api_key.empty());
  CHECK(config.models["c"].api_key == "own");
}

} // namespace model_environment_test

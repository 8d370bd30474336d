#include "messages/wire/history/sealed_blocks.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace sealed_blocks_test {

using namespace troupe;

TEST_CASE("sealed blocks come back byte for byte, for the model that made them",
          "[messages][sealed_blocks]") {
  const std::string blocks = R"([{"type":"thinking","signature":"a\/b=="}, {"x":1.0}])";
  const auto kept = seal_blocks("anthropic", "claude \"x\"", blocks);
  CHECK(sealed_blocks(kept, "anthropic", "claude \"x\"") == blocks);
  CHECK(sealed_blocks(kept, "anthropic", "claude y").empty());
  CHECK(sealed_blocks(kept, "gemini", "claude \"x\"").empty());
}

TEST_CASE("metadata of other forms has no sealed blocks", "[messages][sealed_blocks]") {
  for (auto json : {"", "{}", "[]", R"({"anthropic":[]})", R"({"anthropic":{"model":"m"}})",
                    R"({"anthropic":{"model":"m","blocks":{}}})", R"({"anthropic":{"blocks":[]}})",
                    R"({"x":"anthropic"})", "anthropic"})
    CHECK(sealed_blocks(json, "anthropic", "m").empty());
}

TEST_CASE("what one provider seals has a namespace of its own", "[messages][sealed_blocks]") {
  for (auto key : {"anthropic", "openai_responses", "gemini"})
    CHECK(is_sealed_namespace(key));
  for (auto key : {"openai", "google", ""})
    CHECK_FALSE(is_sealed_namespace(key));
}

} // namespace sealed_blocks_test

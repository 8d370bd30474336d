#include "messages/wire/openai_chat/openai_embeddings.hpp"

#include <chrono>
#include <string>

#include "tests/support/catch.hpp"

namespace openai_embeddings_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

model_config embedding_model() {
  model_config model;
  model.name = "embed";
  model.model = "embed-3";
  model.base_url = "http://127.0.0.1/v1/chat/completions";
  model.api_key = "secret";
  return model;
}

} // namespace

TEST_CASE("a request for embeddings is the client's, in the provider's name for the model",
          "[messages][openai_embeddings]") {
  const auto made =
      embedding_request(embedding_model(), R"({"input":["a\"b"], "model":"embed","x":{"y":1}})");
  CHECK(made.url == "http://127.0.0.1/v1/embeddings");
  CHECK(made.body == R"({"model":"embed-3","input":["a\"b"],"x":{"y":1}})");
}

TEST_CASE("a request for embeddings has all the time limits of its model",
          "[messages][openai_embeddings]") {
  auto model = embedding_model();
  model.timeouts = {1ms, 2ms, 3ms, 4ms};
  const auto limits = embedding_request(model, R"({"input":"a"})").deadlines;
  CHECK(limits.connect == 1ms);
  CHECK(limits.first_byte == 2ms);
  CHECK(limits.idle == 3ms);
  CHECK(limits.total == 4ms);
}

TEST_CASE("what is wrong with a body for embeddings is named", "[messages][openai_embeddings]") {
  std::string name = "kept";
  CHECK(read_embedding_model("[]", name).text() == "the body must be a JSON object");
  CHECK(read_embedding_model(R"({"model":1})", name).text() == "model must be a string");
  CHECK(name == "kept");
  CHECK_FALSE(read_embedding_model(R"({"model":null})", name));
  CHECK(name.empty());
}

} // namespace openai_embeddings_test

#include "apps/engine/http/requests/client_paths.hpp"

#include "tests/support/catch.hpp"

namespace client_paths_test {

using namespace troupe;

TEST_CASE("a base URL may have a /v1 too few or too many, or a slash too many",
          "[apps][client_paths]") {
  CHECK(meant_client_path("/chat/completions") == "/v1/chat/completions");
  CHECK(meant_client_path("/completions") == "/v1/completions");
  CHECK(meant_client_path("/v1/v1/messages") == "/v1/messages");
  CHECK(meant_client_path("/v1//responses") == "/v1/responses");
  CHECK(meant_client_path("/v1/chat/completions/") == "/v1/chat/completions");
  CHECK(meant_client_path("/models/a%2Fb") == "/v1/models/a%2Fb");
  CHECK(meant_client_path("//v1/v1/v1/messages/count_tokens//") == "/v1/messages/count_tokens");
}

TEST_CASE("paths that are right or of others stay as they are", "[apps][client_paths]") {
  for (const auto* path :
       {"/v1/chat/completions", "/v1/responses/r", "/", "", "/v1", "/v1/", "/v1/v1/status",
        "/status", "/modelsx", "/conversations", "/v1/nothing", "/api/chat/completions"}) {
    INFO(path);
    CHECK(meant_client_path(path).empty());
  }
}

} // namespace client_paths_test

// URLs that libcurl need not read again.
#include "transport/http_client/http_client_shard.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace http_client_urls_test {

using namespace troupe;

namespace {

std::string part(CURLU* url, CURLUPart which) {
  char* text = nullptr;
  if (curl_url_get(url, which, &text, 0) != CURLUE_OK)
    return {};
  std::string made{text};
  curl_free(text);
  return made;
}

} // namespace

TEST_CASE("a URL is read once", "[transport][http_client]") {
  http_client_urls urls;
  auto* first = urls.find("http://127.0.0.1:8080/v1/chat?key=a%2Fb");
  REQUIRE(first != nullptr);
  CHECK(part(first, CURLUPART_HOST) == "127.0.0.1");
  CHECK(part(first, CURLUPART_PORT) == "8080");
  CHECK(part(first, CURLUPART_PATH) == "/v1/chat");
  CHECK(part(first, CURLUPART_QUERY) == "key=a%2Fb");
  auto* other = urls.find("https://example.com/");
  CHECK(other != first);
  CHECK(urls.find("http://127.0.0.1:8080/v1/chat?key=a%2Fb") == first);
}

TEST_CASE("a URL that cannot be read, or not be copied, is left to libcurl",
          "[transport][http_client]") {
  http_client_urls urls;
  CHECK(urls.find("http://[::1") == nullptr);
  CHECK(urls.find("") == nullptr);
  CHECK(urls.find("http://[fe80::1%25eth0]/") == nullptr);
  CHECK(urls.find("http://[fe80::1]/") != nullptr);
}

TEST_CASE("no more than 256 URLs are kept", "[transport][http_client]") {
  http_client_urls urls;
  for (int i = 0; i < 256; ++i)
    REQUIRE(urls.find("http://localhost/" + std::to_string(i)) != nullptr);
  CHECK(urls.find("http://localhost/256") == nullptr);
  CHECK(urls.find("http://localhost/0") != nullptr);
}

} // namespace http_client_urls_test

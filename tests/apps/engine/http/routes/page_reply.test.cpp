// The files of the web page: who gets which form of them.
#include "apps/engine/http/routes/page_reply.hpp"

#include "tests/support/catch.hpp"

namespace page_reply_test {

using namespace troupe;

namespace {

constexpr page_asset script{"/page/assets/a.js", "text/javascript", "abc", "identity", "zip", "br"};
constexpr page_asset picture{"/page/assets/a.svg", "image/svg+xml", "abc", "identity", {}, {}};

} // namespace

TEST_CASE("browsers ask for HTML by name, programs do not", "[apps][page_reply]") {
  CHECK(accepts_html("text/html,application/xhtml+xml,*/*;q=0.8"));
  CHECK(accepts_html("application/json, TEXT/HTML;q=0.5"));
  CHECK_FALSE(accepts_html("*/*"));
  CHECK_FALSE(accepts_html(""));
  CHECK_FALSE(accepts_html("text/html;q=0"));
  CHECK_FALSE(accepts_html("text/html-not"));
}

TEST_CASE("a file is sent in the shortest form that the client reads", "[apps][page_reply]") {
  CHECK(choose_coding(script, "gzip, deflate, br").name == "br");
  CHECK(choose_coding(script, "gzip, br;q=0").bytes == "zip");
  CHECK(choose_coding(script, "GZIP").name == "gzip");
  CHECK(choose_coding(script, "gzip;q=0.0, deflate").bytes == "identity");
  CHECK(choose_coding(script, "").name.empty());
  CHECK(choose_coding(picture, "gzip, br").bytes == "identity");
}

TEST_CASE("who names the file's tag has it already", "[apps][page_reply]") {
  CHECK(names_etag(R"("abc")", "abc"));
  CHECK(names_etag(R"("x", W/"abc")", "abc"));
  CHECK(names_etag("*", "abc"));
  CHECK_FALSE(names_etag("abc", "abc"));
  CHECK_FALSE(names_etag(R"("abcd")", "abc"));
  CHECK_FALSE(names_etag("", "abc"));
}

TEST_CASE("a page that is switched off has no files", "[apps][page_reply]") {
  engine_config config;
  config.page_files = {&script, 1};
  CHECK(find_page_asset(config, "/page/assets/a.js") == config.page_files.data());
  CHECK(find_page_asset(config, "/page/assets/b.js") == nullptr);
  config.page = false;
  CHECK(find_page_asset(config, "/page/assets/a.js") == nullptr);
}

} // namespace page_reply_test

#include "apps/bench/target/target_address.hpp"

#include <map>
#include <string>

#include "tests/support/catch.hpp"

namespace bench_environment_proxy_test {

using namespace troupe::bench;

namespace {

std::string proxy_for(std::string_view address, const std::map<std::string, std::string>& set) {
  return environment_proxy(address, [&](const char* name) {
    const auto found = set.find(name);
    return found == set.end() ? nullptr : found->second.c_str();
  });
}

} // namespace

TEST_CASE("a proxy is named by the variable of the scheme, or of all", "[apps][bench]") {
  CHECK(proxy_for("http://h", {}).empty());
  CHECK(proxy_for("h:80", {{"http_proxy", "p"}}) == "http_proxy");
  CHECK(proxy_for("http://127.0.0.1:1", {{"http_proxy", "p"}}) == "http_proxy");
  CHECK(proxy_for("http://h", {{"HTTP_PROXY", "p"}}).empty()); // as libcurl has it
  CHECK(proxy_for("https://h", {{"http_proxy", "p"}}).empty());
  CHECK(proxy_for("https://h", {{"HTTPS_PROXY", "p"}}) == "HTTPS_PROXY");
  CHECK(proxy_for("https://h", {{"https_proxy", ""}, {"all_proxy", "p"}}) == "all_proxy");
}

TEST_CASE("no_proxy excepts hosts, domains and all", "[apps][bench]") {
  const auto with = [](std::string_view address, const char* except) {
    return proxy_for(address, {{"http_proxy", "p"}, {"no_proxy", except}});
  };
  CHECK(with("http://a.h:80", "x, a.h").empty());
  CHECK(with("http://a.h", "x,.h").empty());
  CHECK(with("http://a.h", "h").empty());
  CHECK(with("http://[::1]:1", "::1").empty());
  CHECK(with("http://a.h", "*").empty());
  CHECK(with("http://ah", "h") == "http_proxy");
  CHECK(with("http://a.h", "b.h,") == "http_proxy");
}

} // namespace bench_environment_proxy_test

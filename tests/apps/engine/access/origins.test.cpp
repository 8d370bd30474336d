// Pages of other origins: who may, and what their browsers are told.
#include "apps/engine/access/auth.hpp"
#include "apps/engine/access/request_origin.hpp"
#include "tests/support/catch.hpp"

namespace origins_test {

using namespace troupe;

namespace {

const std::string allowed_page = "https://app.example";

server_request from(std::string method, headers fields) {
  server_request out;
  out.method = std::move(method);
  out.path = "/v1/sessions/c/turns";
  out.fields = std::move(fields);
  out.fields.push_back({"host", "troupe.local:8080"});
  return out;
}

admission admitted(const server_request& request, route_access access = route_access::owners) {
  engine_config config;
  config.listen = "troupe.local:8080";
  config.cors_origins = {allowed_page};
  return admit(read_known_fields(request), access, config, key_ring{});
}

server_request with(headers fields) {
  server_request out;
  out.fields = std::move(fields);
  return out;
}

page_origin origin_with(headers fields, const std::vector<std::string>& allowed) {
  const auto request = with(std::move(fields));
  return origin_of(read_known_fields(request), allowed);
}

} // namespace

TEST_CASE("an origin is this server's, an allowed one, or another one", "[apps][origins]") {
  struct row {
    headers fields;
    page_origin expected;
  };
  const header host{"host", "here:8080"};
  const header proxied{"x-forwarded-host", "chat.example"};
  for (const auto& each :
       std::vector<row>{{{host}, page_origin::none},
                        {{host, {"origin", "http://here:8080"}}, page_origin::own},
                        {{host, {"origin", "https://here:8080"}}, page_origin::own},
                        {{host, proxied, {"origin", "https://chat.example"}}, page_origin::own},
                        {{host, {"origin", "https://app.example"}}, page_origin::allowed},
                        {{host, {"origin", "http://app.example"}}, page_origin::cross_origin},
                        {{host, {"origin", "https://app.example.evil"}}, page_origin::cross_origin},
                        {{host, {"origin", "http://here"}}, page_origin::cross_origin},
                        {{host, {"origin", "http://here:8081"}}, page_origin::cross_origin},
                        {{host, {"origin", "null"}}, page_origin::cross_origin},
                        {{{"origin", "http://"}}, page_origin::cross_origin}}) {
    INFO(find_header(each.fields, "origin"));
    CHECK(origin_with(each.fields, {allowed_page}) == each.expected);
  }
  CHECK(origin_with({{"origin", "null"}}, {"*"}) == page_origin::allowed);
}

TEST_CASE("a page of a foreign origin may do nothing", "[apps][origins]") {
  for (const auto* method : {"GET", "POST", "DELETE", "OPTIONS"}) {
    const auto got = admitted(from(
        method, {{"origin", "https://evil.example"}, {"access-control-request-method", "POST"}}));
    CHECK(got.refused.code == errc::origin_refused);
    CHECK(got.refused.text().find("https://evil.example") != std::string::npos);
    CHECK(got.cors.empty());
    CHECK_FALSE(got.is_preflight);
  }
  CHECK_FALSE(
      admitted(from("GET", {{"origin", "https://evil.example"}}), route_access::everybody).refused);
}

TEST_CASE("a page of an allowed origin may read its answers", "[apps][origins]") {
  const auto got = admitted(from("POST", {{"origin", allowed_page}}));
  CHECK_FALSE(got.refused);
  CHECK_FALSE(got.is_preflight);
  CHECK(find_header(got.cors, "access-control-allow-origin") == allowed_page);
  CHECK(find_header(got.cors, "vary") == "origin");
  CHECK(admitted(from("POST", {{"origin", "http://troupe.local:8080"}})).cors.empty());
}

TEST_CASE("a browser that asks first is told what an allowed page may send", "[apps][origins]") {
  const auto got = admitted(from("OPTIONS", {{"origin", allowed_page},
                                             {"access-control-request-method", "PATCH"},
                                             {"access-control-request-headers", "x-api-key"}}));
  CHECK(got.is_preflight);
  CHECK(find_header(got.fields, "access-control-allow-headers") == "x-api-key");
  CHECK(find_header(got.fields, "access-control-allow-methods").find("PATCH") !=
        std::string_view::npos);
  CHECK(find_header(got.cors, "access-control-allow-origin") == allowed_page);
  CHECK_FALSE(admitted(from("OPTIONS", {{"origin", allowed_page}})).is_preflight);
}

TEST_CASE("a host is an address, localhost, or one that the operator names", "[apps][origins]") {
  const std::vector<std::string> allowed{"https://chat.example", "http://app.example:3000"};
  auto known = [&](std::string host) {
    return is_known_host({.host = host}, "Box.lan:8080", allowed);
  };
  for (const auto* each : {"127.0.0.1:8080", "192.168.1.7", "[::1]:8080", "[fe80::1]", "localhost",
                           "LOCALHOST:80", "localhost.:80", "a.localhost:8080", "box.lan:8080",
                           "box.lan", "chat.example", "Chat.Example:443", "app.example:8080"}) {
    INFO(each);
    CHECK(known(each));
  }
  for (const auto* each :
       {"evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "notlocalhost",
        "chat.example.evil", "x.chat.example", ":80", ".", "....", "[evil.example]",
        "[::1].evil.example", "[::1]evil.example", "localhost:evil", "1.2.3", "0", "999.0.0.1"}) {
    INFO(each);
    CHECK_FALSE(known(each));
  }
  CHECK(is_known_host({}, "127.0.0.1:8080", {}));
  CHECK(is_known_host({.host = "any.example"}, "127.0.0.1:8080", {"*"}));
}

TEST_CASE("a page of another site is known also where its browser names no origin",
          "[apps][origins]") {
  const header host{"host", "localhost:8080"}, other{"sec-fetch-site", "cross-site"};
  const header picture{"sec-fetch-mode", "no-cors"};
  using row = std::pair<headers, page_origin>;
  for (const auto& [fields, expected] : std::vector<row>{
           {{host, other, picture}, page_origin::cross_origin},
           {{host, {"sec-fetch-site", "same-site"}, picture}, page_origin::cross_origin},
           {{host, {"sec-fetch-site", "same-origin"}, picture}, page_origin::none},
           {{host, {"sec-fetch-site", "none"}, picture}, page_origin::none},
           {{host, other, {"sec-fetch-mode", "navigate"}}, page_origin::none},
           {{host, other, picture, {"referer", "https://app.example/x"}}, page_origin::allowed},
           {{host, other, picture, {"referer", "https://evil.example/x"}},
            page_origin::cross_origin}})
    CHECK(origin_with(fields, {"https://app.example"}) == expected);
  CHECK(origin_with({host, other, picture}, {"*"}) == page_origin::allowed);
  const auto request = with({host, other, picture});
  const auto known = read_known_fields(request);
  CHECK(cors_headers(known).empty());
  CHECK(origin_refusal(known).text().find("another site") != std::string::npos);
}

TEST_CASE("a name that somebody pointed at this machine gets no page in", "[apps][origins]") {
  for (const headers& fields :
       std::vector<headers>{{{"host", "evil.example:8080"}},
                            {{"host", "evil.example:8080"}, {"origin", "http://evil.example:8080"}},
                            {{"host", "evil.example"}, {"x-forwarded-host", "localhost"}},
                            {{"host", "evil.example"},
                             {"x-forwarded-host", "localhost"},
                             {"origin", "http://localhost"}}}) {
    server_request request;
    request.method = "GET";
    request.path = "/v1/conversations";
    request.fields = fields;
    engine_config config;
    const auto known = read_known_fields(request);
    const auto got = admit(known, route_access::owners, config, key_ring{});
    CHECK(got.refused.code == errc::origin_refused);
    CHECK(got.refused.text().find("evil.example") != std::string::npos);
    CHECK_FALSE(admit(known, route_access::everybody, config, key_ring{}).refused);
    config.auth.keys = true; // which no such page has
    CHECK(admit(known, route_access::owners, config, key_ring{}).refused.code !=
          errc::origin_refused);
  }
}

} // namespace origins_test

// A request as one node hands it to another.
#include "apps/engine/http/nodes/forward_fields.hpp"

#include <limits>
#include <string>

#include "tests/support/catch.hpp"

namespace forward_fields_test {

using namespace troupe;

namespace {

const forward_signature& shared() {
  static const forward_signature made{"a secret of sixteen letters"};
  return made;
}

server_request asked() {
  server_request out;
  out.method = "POST";
  out.path = "/v1/sessions/a b/turns";
  out.target = "/v1/sessions/a%20b/turns";
  out.query = "x=1";
  out.body = R"({"message":"hello"})";
  out.fields = {{"host", "chat.example"},       {"authorization", "Bearer tk_a_b"},
                {"x-api-key", "tk_a_b"},        {"cookie", "a=b"},
                {"origin", "https://x"},        {"connection", "keep-alive"},
                {"content-length", "19"},       {"sec-fetch-site", "same-origin"},
                {"content-type", "a/json"},     {"x-request-id", "req_1"},
                {"if-match", "\"3\""},          {"troupe-owner", "mallory"},
                {"troupe-signature", "forged"}, {"x-troupe-ui-profile", "v7"}};
  return out;
}

/// What the other node gets: what was sent, with the path taken apart.
server_request arrived(const http_request& sent) {
  auto out = asked();
  out.method = sent.method;
  out.fields = sent.fields;
  out.body = sent.body;
  return out;
}

std::string value(const http_request& of, std::string_view name) {
  return std::string{find_header(of.fields, name)};
}

} // namespace

TEST_CASE("a request goes on with its method, target and body, and without the client's rights",
          "[apps][forward_fields]") {
  const auto sent = make_forward(asked(), {"alice", 3, 42}, {"a", shared()}, "http://10.0.0.2:9");
  CHECK(sent.method == "POST");
  CHECK(sent.url == "http://10.0.0.2:9/v1/sessions/a%20b/turns?x=1");
  CHECK(sent.body == asked().body);
  CHECK(sent.once);
  CHECK(sent.wants_head);
  for (const auto* kept : {"content-type", "x-request-id", "if-match", "x-troupe-ui-profile"})
    CHECK(value(sent, kept) == find_header(asked().fields, kept));
  for (const auto* gone : {"host", "authorization", "x-api-key", "cookie", "origin", "connection",
                           "content-length", "sec-fetch-site"})
    CHECK(value(sent, gone).empty());
  CHECK(value(sent, "troupe-hop") == "1");
  CHECK(value(sent, "troupe-owner") == "alice");
}

TEST_CASE("the other node reads for whom a request is", "[apps][forward_fields]") {
  for (const forward_terms& terms :
       {forward_terms{"alice", 3, 42}, forward_terms{"", 0, 0},
        forward_terms{"b@c", 1, std::numeric_limits<uint64_t>::max() / 2}}) {
    const auto sent = make_forward(asked(), terms, {"a", shared()}, "http://b");
    forward_terms read;
    CHECK(!read_forward(arrived(sent), shared(), true, read));
    CHECK(read.owner == terms.owner);
    CHECK(read.concurrent_turns == terms.concurrent_turns);
    CHECK(read.to == terms.to);
  }
}

TEST_CASE("a head is judged before its body is there, and the body when it is",
          "[apps][forward_fields]") {
  auto got = arrived(make_forward(asked(), {"alice"}, {"a", shared()}, "http://b"));
  forward_terms read;
  got.body.clear();
  CHECK(!read_forward(got, shared(), false, read));
  CHECK(read_forward(got, shared(), true, read).code == errc::forbidden);
  got.body = asked().body + ' ';
  CHECK(read_forward(got, shared(), true, read).code == errc::forbidden);
}

TEST_CASE("a request that is not signed, or for another path, is refused",
          "[apps][forward_fields]") {
  forward_terms read;
  CHECK(read_forward(asked(), shared(), true, read).code == errc::forbidden); // forged
  auto bare = asked();
  drop_node_fields(bare.fields);
  CHECK(read_forward(bare, shared(), true, read).code == errc::unauthorized);
  auto moved = arrived(make_forward(asked(), {"alice"}, {"a", shared()}, "http://b"));
  moved.target = "/v1/sessions/other/turns";
  CHECK(read_forward(moved, shared(), true, read).code == errc::forbidden);
  auto other = arrived(make_forward(asked(), {"alice"}, {"a", shared()}, "http://b"));
  for (auto& each : other.fields)
    if (each.name == "troupe-owner")
      each.value = "bob";
  CHECK(read_forward(other, shared(), true, read).code == errc::forbidden);
}

TEST_CASE("only fields of nodes are dropped from a client's request", "[apps][forward_fields]") {
  headers fields{{"troupe-owner", "a"}, {"x-troupe-ui-profile", "v6"}, {"troupe-hop", "1"}};
  drop_node_fields(fields);
  REQUIRE(fields.size() == 1);
  CHECK(fields[0].name == "x-troupe-ui-profile");
}

TEST_CASE("an answer's fields go on, but for those of the connection", "[apps][forward_fields]") {
  const auto passed = passed_fields({{"content-type", "a"},
                                     {"date", "now"},
                                     {"x-request-id", "r"},
                                     {"connection", "close"},
                                     {"transfer-encoding", "chunked"},
                                     {"content-length", "3"},
                                     {"x-content-type-options", "nosniff"},
                                     {"troupe-not-taken", "turn"},
                                     {"etag", "\"3\""},
                                     {"set-x", "1"},
                                     {"set-x", "2"}});
  std::string names;
  for (const auto& each : passed)
    names += each.name + '=' + each.value + ' ';
  CHECK(names == "content-type=a x-request-id=r etag=\"3\" set-x=1 set-x=2 ");
}

} // namespace forward_fields_test

#include "transport/websocket/websocket_handshake.hpp"

#include "tests/support/catch.hpp"

namespace websocket_handshake_test {

using namespace troupe;

namespace {

/// The example of RFC 6455, section 1.2.
const std::string key = "dGhlIHNhbXBsZSBub25jZQ==";

failure check(const std::string& status, const std::string& fields) {
  return check_handshake("HTTP/1.1 " + status + "\r\n" + fields, key, "mcp");
}

const std::string good = "upgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
                         "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

} // namespace

TEST_CASE("a WebSocket key and its answer are those of RFC 6455",
          "[transport][websocket_handshake]") {
  std::array<unsigned char, 16> nonce{};
  const std::string text = "the sample nonce";
  std::copy(text.begin(), text.end(), nonce.begin());
  CHECK(websocket_key(nonce) == key);
  CHECK(websocket_accept(key) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST_CASE("a WebSocket URL is taken apart", "[transport][websocket_handshake]") {
  websocket_address to;
  CHECK_FALSE(read_websocket_url("ws://127.0.0.1:8080/mcp?x=%26#part", to));
  CHECK(to.http_url == "http://127.0.0.1:8080/mcp?x=%26");
  CHECK(to.host == "127.0.0.1:8080");
  CHECK(to.path == "/mcp?x=%26");
  CHECK_FALSE(read_websocket_url("WSS://[::1]", to));
  CHECK(to.http_url == "https://[::1]/");
  CHECK(to.host == "[::1]");
  CHECK_FALSE(read_websocket_url("wss://host?x", to));
  CHECK(to.path == "/?x");
}

TEST_CASE("a URL that is none of a WebSocket's is refused", "[transport][websocket_handshake]") {
  const auto url = GENERATE(as<std::string>{}, "", "http://host/", "ws:/host", "ws:///path",
                            "ws://user:secret@host/", "ws://host/a b", "ws://host/\r\nX: y");
  websocket_address to;
  const auto wrong = read_websocket_url(url, to);
  CHECK(wrong.code == errc::config_invalid);
  CHECK_THAT(wrong.message, !Catch::Contains("secret"));
}

TEST_CASE("a WebSocket handshake carries the configured headers",
          "[transport][websocket_handshake]") {
  websocket_address to;
  REQUIRE_FALSE(read_websocket_url("ws://host:1/p", to));
  std::string out;
  REQUIRE_FALSE(
      make_handshake(to, key, "mcp", {{"Authorization", "Bearer x"}, {"Host", "h"}}, out));
  CHECK(out == "GET /p HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
               "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " +
                   key + "\r\nSec-WebSocket-Protocol: mcp\r\nAuthorization: Bearer x\r\n\r\n");
  for (const auto& bad : headers{{"X", "a\r\nY: b"},
                                 {"X Y", "a"},
                                 {"", "a"},
                                 {"Upgrade", "h2c"},
                                 {"Sec-WebSocket-Key", "a"}})
    CHECK(make_handshake(to, key, "mcp", {bad}, out).code == errc::config_invalid);
}

TEST_CASE("a WebSocket handshake is accepted with the subprotocol and without",
          "[transport][websocket_handshake]") {
  CHECK_FALSE(check("101 Switching Protocols", good));
  CHECK_FALSE(check("101", good + "\r\nSec-WebSocket-Protocol: mcp"));
}

TEST_CASE("a WebSocket handshake that is not ours is refused", "[transport][websocket_handshake]") {
  CHECK(check("101", "").code == errc::server_protocol);
  CHECK(check("101", good.substr(20)).code == errc::server_protocol);
  CHECK(check("101", good.substr(0, good.size() - 3) + "XX=").code == errc::server_protocol);
  const auto other = check("101", good + "\r\nSec-WebSocket-Protocol: chat");
  CHECK(other.code == errc::server_protocol);
  CHECK(other.message == "chose the WebSocket subprotocol 'chat' instead of 'mcp'");
  CHECK(check("101", good + "\r\nSec-WebSocket-Extensions: permessage-deflate").code ==
        errc::server_protocol);
  CHECK(check_handshake("SSH-2.0-OpenSSH_9.2", key, "mcp").code == errc::server_protocol);
  CHECK(check_handshake("", key, "mcp").code == errc::server_protocol);
}

TEST_CASE("a refused WebSocket handshake tells its status and what to do",
          "[transport][websocket_handshake]") {
  const auto forbidden = check("403 Forbidden", "Content-Length: 0");
  CHECK(forbidden.code == errc::server_unavailable);
  CHECK_THAT(forbidden.message, Catch::Contains("HTTP status 403 Forbidden") &&
                                    Catch::Contains("authorization is needed"));
  const auto moved = check("308 Permanent Redirect", "Location: wss://other/?key=secret");
  CHECK(moved.code == errc::server_unavailable);
  CHECK_THAT(moved.message, Catch::EndsWith("it is at wss://other/"));
}

} // namespace websocket_handshake_test

// The handshakes of WebSockets, from both sides. The last byte chooses what the text is: 0 the head
// of a client's request, 1 the head of a server's answer, 2 a URL.
#include <string>

#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"
#include "transport/http/request_head.hpp"
#include "transport/http/response_head.hpp"
#include "transport/websocket/websocket_handshake.hpp"

using namespace troupe;

namespace {

constexpr std::string_view subprotocol = "mcp";

std::string key() {
  return websocket_key({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
}

/// Returns the head of our answer to a request, without its empty line.
std::string answer_to(const server_request& request) {
  headers fields;
  const auto refused = answer_handshake(request, subprotocol, fields);
  std::string head;
  response_framing framing;
  append_head(head, refused ? refused.status : 101, fields, framing, "");
  require(head.ends_with("\r\n\r\n"), "a head ends with an empty line");
  return head.substr(0, head.size() - 4);
}

void read_request(std::string_view text) {
  request_head head;
  head_finder finder;
  const auto size = finder.find(text);
  if (size == 0 || parse_head(text.substr(0, size), head))
    return;
  const auto answer = answer_to(head.request);
  const auto sent = find_header(head.request.fields, "sec-websocket-key");
  const auto bad = check_handshake(answer, sent, subprotocol);
  require(!answer.starts_with("HTTP/1.1 101") || !bad, "a client takes our answer to it");
  require(answer.starts_with("HTTP/1.1 101") || bad, "a client sees that it is refused");
}

void read_answer(std::string_view text) {
  const auto bad = check_handshake(text, key(), subprotocol);
  if (!bad)
    require(text.find(websocket_accept(key())) != std::string_view::npos,
            "an answer knows the key that was sent");
  else
    require(bad.code == errc::server_protocol || bad.code == errc::server_unavailable,
            "a bad answer is the server's fault");
}

/// The request that we make for an address is one that we would take.
void read_url(std::string_view text) {
  websocket_address to;
  if (const auto bad = read_websocket_url(text, to))
    return require_refusal(bad, errc::config_invalid);
  require(to.path.starts_with('/') && !to.host.empty(), "an address has a host and a path");
  std::string bytes;
  require(!make_handshake(to, key(), subprotocol, {}, bytes), "an address can be asked");
  request_head head;
  head_finder finder;
  require(finder.find(bytes) == bytes.size(), "a request is one head");
  if (parse_head(bytes, head)) // a host or path that no server takes
    return;
  const auto answer = answer_to(head.request);
  require(!check_handshake(answer, key(), subprotocol), "we understand ourselves");
}

constexpr void (*readers[])(std::string_view) = {read_request, read_answer, read_url};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return read_by_choice(readers, data, size);
}

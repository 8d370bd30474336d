// A client of an engine's HTTP interface, one connection for each request.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/transport/http_server/http_server_fixture.hpp"

namespace troupe::test {

/// An answer with its head taken apart.
struct http_answer {
  int status = 0;
  std::string head;
  std::string body;

  bool says(std::string_view text) const { return body.find(text) != std::string::npos; }
};

/// Sends a request; the connection ends with the answer.
inline void send_request(raw_client& to, std::string_view method, std::string_view path,
                         std::string_view body = "", std::string_view fields = "") {
  std::string text{method};
  text.append(" ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
  text.append(fields).append("Content-Length: ").append(std::to_string(body.size()));
  text.append("\r\n\r\n").append(body);
  to.send(text);
}

/// Returns a chunked body in one piece.
inline std::string unchunked(std::string_view in) {
  std::string out;
  while (!in.empty()) {
    auto size = std::strtoul(std::string{in.substr(0, 16)}.c_str(), nullptr, 16);
    auto line = in.find("\r\n");
    if (line == in.npos || size == 0)
      break;
    out.append(in.substr(line + 2, size));
    in.remove_prefix(std::min(in.size(), line + 2 + size + 2));
  }
  return out;
}

inline http_answer read_answer(raw_client& from) {
  http_answer out;
  out.head = from.read_until("\r\n\r\n");
  out.status = std::atoi(out.head.c_str() + 9);
  out.body = from.read_all();
  if (out.head.find("chunked") != std::string::npos)
    out.body = unchunked(out.body);
  return out;
}

/// Asks the engine that listens on `port`.
inline http_answer fetch(uint16_t port, std::string_view method, std::string_view path,
                         std::string_view body = "", std::string_view fields = "") {
  raw_client client{port};
  send_request(client, method, path, body, fields);
  return read_answer(client);
}

} // namespace troupe::test

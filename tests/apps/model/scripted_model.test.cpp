#include "apps/model/scripted_model.hpp"

#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/support/catch.hpp"
#include "transport/loop/loop.hpp"

namespace scripted_model_test {

using namespace troupe;

namespace {

/// A blocking client connection; reads fail after ten seconds.
class client {
public:
  explicit client(uint16_t port) : fd_{::socket(AF_INET, SOCK_STREAM, 0)} {
    const timeval patience{10, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
  }
  ~client() { ::close(fd_); }
  client(const client&) = delete;
  client& operator=(const client&) = delete;

  void send(std::string_view method, std::string_view path, std::string_view body = {}) {
    const auto text = std::string{method} + " " + std::string{path} +
                      " HTTP/1.1\r\nhost: x\r\ncontent-length: " + std::to_string(body.size()) +
                      "\r\n\r\n" + std::string{body};
    REQUIRE(::send(fd_, text.data(), text.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(text.size()));
  }

  /// Reads until `end` was read and returns all of it; also returns at the end of the connection.
  std::string read_until(std::string_view end) {
    std::string all;
    char chunk[4096];
    while (all.find(end) == std::string::npos) {
      const auto count = ::recv(fd_, chunk, sizeof chunk, 0);
      if (count <= 0)
        break;
      all.append(chunk, static_cast<size_t>(count));
    }
    return all;
  }

  /// Returns whether the connection is at its end.
  bool is_closed() {
    char next = 0;
    return ::recv(fd_, &next, 1, 0) <= 0 && errno != EAGAIN;
  }

private:
  int fd_;
};

std::string request(std::string_view model, bool stream = true) {
  return R"({"model":")" + std::string{model} + R"(","stream":)" + (stream ? "true" : "false") +
         R"(,"messages":[{"role":"user","content":"hi"}]})";
}

bool holds(const std::string& text, std::string_view part) {
  UNSCOPED_INFO(text.substr(0, 1000));
  return text.find(part) != std::string::npos;
}

struct fixture {
  shards home{2};
  scripted_model model{home};

  fixture() { REQUIRE_FALSE(model.listen("127.0.0.1:0")); }
};

constexpr std::string_view chat = "/v1/chat/completions";
constexpr std::string_view last_chunk = "\r\n0\r\n\r\n";

} // namespace

TEST_CASE("the model listens on the port that it names", "[apps][scripted_model]") {
  fixture at;
  CHECK(at.model.port() != 0);
  CHECK(at.model.base_url() == "http://127.0.0.1:" + std::to_string(at.model.port()) + "/v1");
  scripted_model second{at.home};
  CHECK(second.listen("127.0.0.1:" + std::to_string(at.model.port())).code ==
        errc::address_unavailable);
  CHECK(second.base_url().empty());
}

TEST_CASE("a model that shows no requests has only what a provider has", "[apps][scripted_model]") {
  shards home{1};
  scripted_model model{home, 0, false};
  REQUIRE_FALSE(model.listen("127.0.0.1:0"));
  client to{model.port()};
  for (auto [method, path] :
       {std::pair{"GET", "/stats"}, {"GET", "/requests"}, {"DELETE", "/requests"}}) {
    to.send(method, path);
    CHECK(holds(to.read_until("}}"), "HTTP/1.1 404"));
  }
  to.send("GET", "/v1/models");
  CHECK(holds(to.read_until("]}"), "HTTP/1.1 200"));
}

TEST_CASE("answers come one after the other on one connection", "[apps][scripted_model]") {
  fixture at;
  client to{at.model.port()};
  to.send("POST", chat, request("text"));
  const auto first = to.read_until(last_chunk);
  CHECK(holds(first, "HTTP/1.1 200"));
  CHECK(holds(first, "text/event-stream"));
  CHECK(holds(first, "data: [DONE]\n\n"));
  to.send("POST", chat, request("error-429"));
  const auto second = to.read_until("}}");
  CHECK(holds(second, "HTTP/1.1 429"));
  CHECK(holds(second, "retry-after: 1"));
  to.send("GET", "/stats");
  CHECK(holds(to.read_until("}"), R"({"requests":2,"open":0,"completed":2,"aborted":0})"));
}

TEST_CASE("the models are listed", "[apps][scripted_model]") {
  fixture at;
  client to{at.model.port()};
  to.send("GET", "/v1/models");
  const auto list = to.read_until("]}");
  for (const auto& each : scripts())
    CHECK(holds(list, "{\"id\":\"" + each.name + "\",\"object\":\"model\""));
}

TEST_CASE("unknown paths and methods are refused", "[apps][scripted_model]") {
  fixture at;
  client to{at.model.port()};
  to.send("GET", "/v1/nothing");
  CHECK(holds(to.read_until("}}"), "HTTP/1.1 404"));
  to.send("GET", chat);
  const auto refused = to.read_until("}}");
  CHECK(holds(refused, "HTTP/1.1 405"));
  CHECK(holds(refused, "allow: POST"));
  to.send("POST", chat, "{");
  const auto bad = to.read_until("}}");
  CHECK(holds(bad, "HTTP/1.1 400"));
  CHECK(holds(bad, "invalid_request_error"));
}

TEST_CASE("what was sent on any connection can be looked at, and cleared",
          "[apps][scripted_model]") {
  fixture at;
  for (auto name : {"text", "echo", "empty"}) {
    client each{at.model.port()};
    each.send("POST", chat, request(name, false));
    CHECK(holds(each.read_until("}}}"), "chat.completion"));
  }
  client to{at.model.port()};
  to.send("GET", "/requests");
  const auto seen = to.read_until(R"(completions"}])");
  CHECK(holds(seen, R"([{"seq":1,"model":"text","body":{"model":"text",)"));
  CHECK(holds(seen, R"({"seq":3,"model":"empty","body":{"model":"empty",)"));
  to.send("DELETE", "/requests");
  CHECK(holds(to.read_until("\r\n\r\n"), "HTTP/1.1 204"));
  to.send("GET", "/requests");
  CHECK(holds(to.read_until("[]"), "\r\n\r\n[]"));
}

TEST_CASE("a cut answer ends without its last chunk", "[apps][scripted_model]") {
  fixture at;
  client to{at.model.port()};
  to.send("POST", chat, request("cut"));
  const auto got = to.read_until("[DONE]");
  CHECK(holds(got, R"({"content":" holds"})"));
  CHECK(got.find(last_chunk) == std::string::npos);
  CHECK(to.is_closed());
}

TEST_CASE("closing the model breaks off what it has not answered", "[apps][scripted_model]") {
  fixture at;
  client silent{at.model.port()};
  silent.send("POST", chat, request("silent"));
  client stalled{at.model.port()};
  stalled.send("POST", chat, request("stall"));
  CHECK(holds(stalled.read_until(" holds"), " holds"));
  at.model.close();
  CHECK(silent.is_closed());
  CHECK(stalled.read_until("[DONE]").find("[DONE]") == std::string::npos);
  at.model.close(); // once more does nothing
}

} // namespace scripted_model_test

// Time to the first token of one request after another:
// `bench-first-token REQUESTS DIRECT_URL URL...`.
// DIRECT_URL is the model itself. Each request to it is followed by one to each other URL, so that
// their overhead is a difference of neighbouring requests. A URL that ends in /chat/completions is
// a model's, any other takes the AI SDK's messages. Plain blocking sockets, kept open: the times
// contain only two system calls of the client. Prints lines "KEY VALUE".
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

namespace {

using steady = std::chrono::steady_clock;
constexpr std::string_view end_of_head = "\r\n\r\n";
constexpr size_t warm_up = 500;

[[noreturn]] void fail(const std::string& what) {
  fmt::print(stderr, "bench-first-token: {}\n", what);
  std::exit(1);
}

/// A server, and one connection to it.
class target {
public:
  explicit target(const std::string& url) {
    unsigned port = 0;
    char host[64], path[256];
    if (std::sscanf(url.c_str(), "http://%63[0-9.]:%u%255s", host, &port, path) != 3)
      fail(url + " is not http://ADDRESS:PORT/PATH");
    path_ = path;
    is_model_ = path_.ends_with("/chat/completions");
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(port));
    inet_pton(AF_INET, host, &to.sin_addr);
    socket_ = socket(AF_INET, SOCK_STREAM, 0);
    const int yes = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0)
      fail("cannot connect to " + url);
  }
  ~target() { close(socket_); }
  target(const target&) = delete;
  target& operator=(const target&) = delete;

  /// Takes a turn in a chat of its own; returns when its first token came, in microseconds.
  double turn() {
    const auto request = next_request();
    const auto asked = steady::now();
    if (send(socket_, request.data(), request.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(request.size()))
      fail("a request was not taken");
    answer_.clear();
    steady::time_point came{};
    while (!is_whole()) {
      read_more();
      if (came == steady::time_point{} && has_token())
        came = steady::now();
    }
    if (came == steady::time_point{} || answer_.find("[DONE]") == answer_.npos)
      fail("an answer has no token or no end: " + answer_);
    return std::chrono::duration<double, std::micro>{came - asked}.count();
  }

private:
  std::string next_request() {
    const auto body =
        is_model_ ? std::string{R"({"model":"text","stream":true,"messages":[{"role":"user",)"
                                R"("content":"hi"}]})"}
                  : fmt::format(R"({{"id":"first-{}-{}","model":"instant","trigger":)"
                                R"("submit-message","messages":[{{"id":"u1","role":"user",)"
                                R"("parts":[{{"type":"text","text":"hi"}}]}}]}})",
                                getpid(), ++number_);
    return fmt::format("POST {} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
                       "content-length: {}\r\n\r\n{}",
                       path_, body.size(), body);
  }

  void read_more() {
    char piece[65536];
    const auto size = recv(socket_, piece, sizeof piece, 0);
    if (size <= 0)
      fail("the connection broke: " + answer_);
    answer_.append(piece, static_cast<size_t>(size));
  }

  bool has_token() const {
    const auto text = is_model_ ? R"("delta":{"content":")" : R"("type":"text-delta")";
    return answer_.find(text) != answer_.npos;
  }

  bool is_whole() const {
    const auto head = answer_.find(end_of_head);
    if (head == answer_.npos)
      return false;
    constexpr std::string_view length = "Content-Length: ";
    if (const auto at = answer_.find(length); at < head)
      return answer_.size() ==
             head + end_of_head.size() + std::strtoul(&answer_[at + length.size()], nullptr, 10);
    return answer_.ends_with("\r\n0\r\n\r\n");
  }

  std::string path_;
  std::string answer_;
  size_t number_ = 0;
  int socket_ = -1;
  bool is_model_ = false;
};

void print(const std::string& name, std::vector<double> us) {
  std::sort(us.begin(), us.end());
  const auto at = [&](double part) { return us[static_cast<size_t>(us.size() * part)] / 1000; };
  fmt::print("{0}_p50_ms {1:.4f}\n{0}_p99_ms {2:.4f}\n", name, at(0.5), at(0.99));
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 4)
    fail("usage: bench-first-token REQUESTS DIRECT_URL URL...");
  const auto requests = std::stoul(argv[1]);
  std::vector<std::unique_ptr<target>> targets;
  for (int i = 2; i < argc; ++i)
    targets.push_back(std::make_unique<target>(argv[i]));
  std::vector<std::vector<double>> times(targets.size()), added(targets.size());
  for (size_t i = 0; i < warm_up + requests; ++i) {
    double direct = 0;
    for (size_t which = 0; which < targets.size(); ++which) {
      const auto took = targets[which]->turn();
      direct = which == 0 ? took : direct;
      if (i < warm_up)
        continue;
      times[which].push_back(took);
      added[which].push_back(took - direct);
    }
  }
  print("direct", times[0]);
  for (size_t which = 1; which < targets.size(); ++which) {
    print(fmt::format("{}", which), times[which]);
    print(fmt::format("{}_added", which), added[which]);
  }
  return 0;
}

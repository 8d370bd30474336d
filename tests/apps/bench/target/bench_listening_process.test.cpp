#include "apps/bench/target/listening_process.hpp"

#include <arpa/inet.h>
#include <atomic>
#include <csignal>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "tests/support/catch.hpp"

namespace bench_listening_process_test {

using namespace troupe::bench;

namespace {

/// Listens until it dies.
class listener {
public:
  /// @param port 0: a free one
  listener(const char* host, uint16_t port) : socket_{::socket(AF_INET, SOCK_STREAM, 0)} {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    ::inet_pton(AF_INET, host, &at.sin_addr);
    socklen_t size = sizeof at;
    is_bound_ = ::bind(socket_, reinterpret_cast<sockaddr*>(&at), size) == 0 &&
                ::listen(socket_, 1) == 0 &&
                ::getsockname(socket_, reinterpret_cast<sockaddr*>(&at), &size) == 0;
    port_ = ntohs(at.sin_port);
  }
  ~listener() { ::close(socket_); }
  listener(const listener&) = delete;
  listener& operator=(const listener&) = delete;

  bool is_bound() const { return is_bound_; }
  uint16_t port() const { return port_; }
  void close() {
    ::close(socket_);
    socket_ = -1;
  }

private:
  int socket_;
  bool is_bound_ = false;
  uint16_t port_ = 0;
};

/// A process that holds what this one has open until it dies.
struct child {
  child() : pid{::fork()} {
    if (pid == 0)
      for (;;)
        ::pause();
  }
  ~child() {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  const pid_t pid;
};

} // namespace

TEST_CASE("who listens at another address of this machine is somebody else", "[apps][bench]") {
  listener other{"127.0.0.2", 0};
  REQUIRE(other.is_bound());
  const auto port = other.port();
  CHECK(listening_process(port, "127.0.0.2") == ::getpid());
  CHECK(listening_process(port, "127.0.0.1") == 0);
  CHECK(listening_process(port, "[::1]") == 0);
  CHECK(listening_process(port, "localhost") == 0);
}

TEST_CASE("processes that end while they are looked at are nobody's children", "[apps][bench]") {
  child stays;
  std::atomic<bool> over{false};
  std::thread ending{[&] {
    char name[] = "true";
    char* const words[] = {name, nullptr};
    for (pid_t brief = 0;
         !over && ::posix_spawnp(&brief, name, nullptr, nullptr, words, environ) == 0;)
      ::waitpid(brief, nullptr, 0);
  }};
  for (int i = 0; i < 1000; ++i)
    CHECK(children_of(::getpid()) >= 1);
  over = true;
  ending.join();
}

TEST_CASE("who listens at all addresses is found by each that is nobody else's", "[apps][bench]") {
  listener all{"0.0.0.0", 0};
  REQUIRE(all.is_bound());
  CHECK(listening_process(all.port(), "127.0.0.1") == ::getpid());
  CHECK(listening_process(all.port(), "127.9.9.9") == ::getpid());
  CHECK(listening_process(all.port()) == ::getpid());
}

TEST_CASE("the listener at the very address is found before another one", "[apps][bench]") {
  listener here{"127.0.0.1", 0};
  REQUIRE(here.is_bound());
  const child holder;
  here.close(); // it is the child's alone now
  const listener there{"127.0.0.2", here.port()};
  REQUIRE(there.is_bound());
  CHECK(listening_process(here.port(), "127.0.0.1") == holder.pid);
  CHECK(listening_process(here.port(), "127.0.0.2") == ::getpid());
}

TEST_CASE("the children of a process are counted", "[apps][bench]") {
  const auto before = children_of(::getpid());
  const child one;
  CHECK(children_of(::getpid()) == before + 1);
  CHECK(children_of(one.pid) == 0);
  CHECK(children_of(0) == 0);
}

} // namespace bench_listening_process_test

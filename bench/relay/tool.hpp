// The MCP server of bench-relay.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>

#include <ev.h>

#include "bench/relay/clients.hpp"

/// Calls a tool of a server over stdio, always with the same line. Each received line answers the
/// oldest call, and is not parsed.
class tool {
public:
  using done = void (*)(client&);

  /// @param program of the server; "" if no turn has a call
  tool(struct ev_loop* home, const char* program, done tell) : tell_{tell} {
    if (*program == '\0')
      return;
    std::signal(SIGPIPE, SIG_IGN);
    start(program);
    ev_io_init(&ready_, &on_ready, from_, EV_READ);
    ready_.data = this;
    ev_io_start(home, &ready_);
    waiting_.push_back(nullptr);
    out_ += greeting;
    flush();
  }

  bool is_there() const { return from_ >= 0; }

  void call(client& of) {
    waiting_.push_back(&of);
    out_ += line;
  }

  /// Writes the calls of one iteration of the loop together.
  void flush() {
    if (out_.empty())
      return;
    if (::write(to_, out_.data(), out_.size()) != static_cast<ssize_t>(out_.size()))
      end("it does not take its calls");
    out_.clear();
  }

private:
  static constexpr std::string_view greeting =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
      R"("capabilities":{},"clientInfo":{"name":"bench-relay","version":"1"}}})"
      "\n"
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
      "\n";
  static constexpr std::string_view line =
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo",)"
      R"("arguments":{"message":"Say something, please."}}})"
      "\n";

  [[noreturn]] static void end(const char* why) {
    std::fprintf(stderr, "the tool: %s\n", why);
    std::exit(1);
  }

  /// Starts the server with the streams `to_` and `from_`; it ends when they are closed.
  void start(const char* program) {
    std::array<int, 2> in{}, out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0)
      end("no pipes");
    const pid_t child = ::fork();
    if (child < 0)
      end("no process");
    if (child == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::execl(program, program, nullptr);
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }

  static void on_ready(struct ev_loop*, ev_io* ready, int) {
    auto& self = *static_cast<tool*>(ready->data);
    std::array<char, 65536> some;
    const auto size = ::read(self.from_, some.data(), some.size());
    if (size <= 0)
      end("it has ended");
    const auto lines = std::count(some.begin(), some.begin() + size, '\n');
    for (auto left = lines; left > 0 && !self.waiting_.empty(); --left) {
      auto* of = self.waiting_.front();
      self.waiting_.pop_front();
      if (of != nullptr)
        self.tell_(*of);
    }
  }

  done tell_;
  int to_ = -1, from_ = -1;
  ev_io ready_{};
  std::string out_;
  std::deque<client*> waiting_; ///< nullptr: for the answer to the greeting
};

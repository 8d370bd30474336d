// The clients of bench-relay and their output.
#pragma once

#include <sys/socket.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ev.h>
#include <fmt/format.h>

class outbox;

/// One client; its requests come one after another.
struct client {
  outbox* sender = nullptr;
  int socket = -1;
  ev_io ready{};
  std::string in, out;
  bool open = true, dirty = false;
  long turn = 0;
  int saves = 0; ///< of this turn, the one under way included
};

/// Writes what the clients are sent, once per iteration of the loop.
class outbox {
public:
  void add(client& to, std::string_view chunk) {
    to.out += fmt::format("{:x}\r\n", chunk.size());
    to.out += chunk;
    to.out += "\r\n";
    if (!std::exchange(to.dirty, true))
      dirty_.push_back(&to);
  }

  void flush() {
    for (auto* each : dirty_) {
      each->dirty = false;
      if (each->open) // a full socket loses bytes, which its client counts as a failed answer
        static_cast<void>(
            ::send(each->socket, each->out.data(), each->out.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
      each->out.clear();
    }
    dirty_.clear();
  }

private:
  std::vector<client*> dirty_;
};

// How a sink of a body has its connection read on.
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace troupe {

class body_sink; // messages/ports/client_ports.hpp
class loop;
class server_connection;

/// Leads from any thread to a connection that may be gone, or at another request.
struct body_waker {
  loop& home;
  server_connection* connection; ///< nullptr: the body is over; loop thread only
};

/// A body on its way to a sink. Loop thread only.
struct streamed_body {
  explicit streamed_body(std::shared_ptr<body_sink> to) : sink{std::move(to)} {}
  ~streamed_body() {
    if (waker)
      waker->connection = nullptr;
  }
  streamed_body(const streamed_body&) = delete;
  streamed_body& operator=(const streamed_body&) = delete;

  std::shared_ptr<body_sink> sink;
  std::shared_ptr<body_waker> waker = nullptr;
  bool held = false; ///< the sink takes no more at present
};

/// Returns a call for any thread that has the connection read on.
std::function<void()> waking_call(std::shared_ptr<body_waker> waker);

} // namespace troupe

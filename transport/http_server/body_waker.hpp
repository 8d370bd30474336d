// How a sink of a body has its connection read on.
#pragma once

#include <functional>
#include <memory>

namespace troupe {

class loop;
class server_connection;

/// Leads from any thread to a connection that may be gone. Outlives it.
struct body_waker {
  loop& home;
  server_connection* connection; ///< nullptr: it is gone; loop thread only
};

/// Returns a call for any thread that has the connection read on.
std::function<void()> waking_call(std::shared_ptr<body_waker> waker);

} // namespace troupe

// The incoming half of a connection: bytes become requests, at a pace that the server accepts.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "messages/limits.hpp"
#include "transport/http/request_reader.hpp"
#include "transport/http_server/http_server.hpp"

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

/// Reads the requests of one client. Asks the server's gate about each request once, about one with
/// a body before that is read. Loop thread only.
class request_intake {
public:
  using clock = std::chrono::steady_clock;
  enum class result {
    more,
    request,  ///< take() has it
    streamed, ///< its body goes to a sink: call watch(), then read() continues
    declined, ///< take() has it, without its body; the client must not send on
    refused   ///< why() says why
  };

  /// @param limits, gate outlive the object @param peer the client's address and port
  request_intake(const server_limits& limits, const request_gate& gate, std::string peer)
      : limits_{limits}, gate_{gate}, peer_{std::move(peer)}, reader_{limits.max_header_bytes,
                                                                      limits.max_body_bytes} {}

  /// Takes at most one request off `bytes`, as request_reader::read does.
  result read(std::string_view& bytes);

  request_head take();
  const http_refusal& why() const { return failed_ ? refusal::no_memory : reader_.why(); }
  bool wants_continue() { return reader_.wants_continue(); }

  /// Has the body's sink call `connection`, of the loop, when it takes more. After `streamed`,
  /// once.
  void watch(loop& home, server_connection& connection);

  /// Returns whether the body's sink takes no more at present; go_on() says that it does.
  bool is_held() const { return streamed_ && streamed_->held; }
  void go_on();

  /// Forgets what came: the client gets no further answer.
  void drop();

  /// Returns the owner to whose share the body counts, since its head was read, and then what
  /// follows until the next request: its answer, or the WebSocket that it became.
  const std::string& owner() const { return owner_; }

  /// Returns whether nothing of the next request came yet.
  bool is_idle() const { return reader_.now() == request_reader::state::idle && kept.empty(); }

  /// Returns whether a request was taken before.
  bool has_served() const { return served_; }

  /// Returns whether a body is on its way.
  bool is_in_body() const { return reader_.now() == request_reader::state::body; }

  /// Returns how much memory the incoming bytes take.
  size_t kept_bytes() const { return kept.capacity() + reader_.kept_bytes(); }

  /// Returns when the client last got on with its request.
  clock::time_point moved() const { return moved_; }

  /// Counts the waiting from now on.
  void rest(clock::time_point now) { moved_ = now; }

  /// Returns whether the client takes too long for the request that it has begun.
  bool is_overdue(clock::time_point now) const;

  std::string kept; ///< received, but not taken apart yet

private:
  result result_of(request_reader::outcome outcome) const;
  result pass_on(request_reader::outcome outcome);
  bool is_let_in();
  body_permit ask_gate(const server_request& request);
  bool is_body_slow(clock::time_point now) const;

  const server_limits& limits_;
  const request_gate& gate_;
  std::string peer_;
  std::string owner_;
  request_reader reader_;
  clock::time_point moved_ = clock::now();
  clock::time_point began_; // the body
  bool served_ = false;
  bool asked_ = false;                      ///< the gate, about the request that is being read
  bool failed_ = false;                     ///< the gate or the sink threw, of that request
  bool answers_too_large_ = false;          ///< body_permit::answers_too_large, of that request
  std::unique_ptr<streamed_body> streamed_; // of that request; few connections ever have one
};

} // namespace troupe

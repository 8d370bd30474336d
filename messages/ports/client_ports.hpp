// Ports to the clients of our server: answers to requests, and where the events of turns go.
// Threads as in ports.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "messages/chat/events.hpp"
#include "messages/errors.hpp"
#include "messages/http.hpp"
#include "messages/ports/websocket_port.hpp"

namespace troupe {

/// Takes the body of one request as it comes, so that it is never whole in memory. Destroyed when
/// the request is over, and at once when the client leaves in mid-body.
class body_sink {
public:
  enum class wish : uint8_t {
    more, ///< of the body
    wait, ///< until `go_on` was called
    stop, ///< nothing more: the request is answered now
  };

  virtual ~body_sink() = default;

  /// Sets what to call, on any thread, when more may come. Called once, before take().
  virtual void watch(std::function<void()> go_on) = 0;

  /// Takes the next bytes, whatever it answers. On the connection's loop; must not block.
  virtual wish take(std::string_view bytes) = 0;
};

/// The answer to one request of a client. Calls after the end or after `gone` do nothing.
/// Destroying it before the end closes the connection.
class http_response {
public:
  virtual ~http_response() = default;

  /// Sets the callback for `drained` and `gone`. At most one; set before start().
  virtual void watch(std::function<void(response_signal)> watcher) = 0;

  /// Answers in one piece. `extra` must not hold content-length or connection.
  virtual void send(uint16_t status, const headers& extra, std::string body) = 0;

  /// Begins a streamed answer; the head and what is written at once leave together with what is
  /// written next, or after 5 ms if there is nothing.
  virtual void start(uint16_t status, const headers& extra) = 0;

  /// Has that leave without waiting for more. After start().
  virtual void send_now() {}

  /// Appends to a streamed answer. Returns false while more than the high-water mark is waiting:
  /// stop writing until `drained`. Nothing is ever dropped.
  virtual bool write(std::string_view bytes) = 0;

  /// Ends a streamed answer; the connection is kept for the next request.
  virtual void finish() = 0;

  /// Closes the connection in mid-answer, so that the client cannot take it for a clean end.
  virtual void reset() = 0;

  /// Has `comment`, a text in static storage, written whenever a streamed answer was silent for
  /// about 15 s.
  virtual void keep_alive(std::string_view comment) { (void)comment; }

  /// Returns how many bytes of an answer may wait in memory for this client just now; the
  /// connection of one that leaves more unread is closed. A guess: others fill the same room. Any
  /// thread.
  virtual size_t room() const { return SIZE_MAX; }

  /// Answers a WebSocket handshake (RFC 6455) and hands the connection over. Refuses a request that
  /// is no valid handshake, and returns nullptr. @param protocol the subprotocol to select, "" =
  /// none
  virtual std::unique_ptr<websocket> upgrade(const server_request& request,
                                             std::string_view protocol) {
    (void)request, (void)protocol;
    return nullptr;
  }
};

/// Receives the events of one turn: a client's connection, a callback, a queue. Called by one
/// subscriber, one call at a time, on any thread.
class event_sink {
public:
  virtual ~event_sink() = default;

  /// Sets the callback for `drained` and `gone`. Called once, before all other calls.
  virtual void watch(std::function<void(response_signal)> watcher) = 0;

  /// Takes the next events; the first batch of a later viewer may be empty. Returns false when the
  /// sink wants no more until `drained`. It has taken the batch in both cases.
  virtual bool deliver(const event_batch& batch) = 0;

  /// The turn was not accepted; nothing else comes.
  virtual void refuse(const failure& why) = 0;
};

} // namespace troupe

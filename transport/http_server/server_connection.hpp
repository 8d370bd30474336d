// One client connection: takes requests apart, one at a time, and sends their answers.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "transport/http/response_head.hpp"
#include "transport/http_server/buffer_budget.hpp"
#include "transport/http_server/client_reading.hpp"
#include "transport/http_server/request_intake.hpp"
#include "transport/http_server/server_response.hpp"
#include "transport/http_server/server_socket.hpp"
#include "transport/http_server/server_websocket.hpp"

namespace troupe {

/// Collects the bytes of one loop iteration, so that they leave in one write, and watches whether
/// the client takes them. Loop thread only.
class server_outbox {
public:
  using clock = std::chrono::steady_clock;

  /// Returns whether the client leaves bytes behind.
  bool is_blocked() const { return blocked_; }

  /// Returns the buffer to append to. Only append.
  std::string& buffer();

  /// Returns the number of bytes that wait here; more bytes may be in the kernel.
  size_t pending() const { return bytes_.empty() ? 0 : bytes_.size() - sent_; }

  /// Returns when the client last took something worth the name.
  clock::time_point moved() const { return moved_; }

  /// Writes once, up to a piece, unless an earlier piece is still on its way; asks `to` to call
  /// back if more is left. Returns whether the connection is still usable.
  bool write_to(server_socket& to);

  /// Returns whether the client took less than 16 KiB in `limit` while bytes waited. Call it
  /// regularly: it compares with earlier calls.
  bool is_stalled(const server_socket& to, clock::time_point now, std::chrono::milliseconds limit);

private:
  std::string bytes_; // begins with head-room for the socket, unless it is empty
  size_t sent_ = 0;   // of bytes_
  uint64_t acknowledged_ = 0;
  clock::time_point moved_{};
  bool blocked_ = false; // the last write left something behind
};

/// The facts of a request that its connection keeps while it answers. Loop thread only.
struct present_request {
  std::string_view comment; ///< for silent answers; see http_response::keep_alive
  size_t body_bytes = 0;    ///< of its body, which somebody may still read until the answer starts
  bool keep_alive = true;   ///< the connection continues afterwards
  bool http_1_0 = false;
  bool head_only = false;
  bool declined = false; ///< its body was not let in: what the client sends is dropped
  bool ended = false;    ///< the client has closed its side; it may still read
  bool probed = false;   ///< ... and was sent something, so that it is known whether it does
  bool started = false;
  bool fresh = false; ///< the answer has started, and may wait for more once
  bool chunked = false;
  bool bodyless = false;
};

class server_shard;

/// Loop thread only. Bytes are written to the socket in flush(), which the shard calls once per
/// loop iteration for each connection that called touch(). Only the shard closes the socket.
///
///     reading --request--> answering --> answered --keep-alive--> reading
///        |                   |  |  |         |
///        +---- refuse() -----|--|--|---------+---> closing --sent--> lingering --> closed
///                            |  |  +-- upgrade() --> upgraded --its end--> closing
///                            +--+-- reset(), the client left --------------------> closed
///
/// Input that arrives while an answer runs is kept for later, up to a bound.
class server_connection {
public:
  using clock = std::chrono::steady_clock;

  /// @param peer the client's address and port
  server_connection(server_shard& home, const std::string& peer);
  server_connection(const server_connection&) = delete;
  server_connection& operator=(const server_connection&) = delete;

  // -- events of the socket
  void opened(server_socket socket) { socket_ = socket; }
  void receive(std::string_view bytes);
  void input_ended(bool broken);
  void read_on(); ///< the sink of the body takes more
  void closed();

  // -- of the answer's handle; see http_response
  void send(uint16_t status, const headers& extra, std::string_view body);
  void start(uint16_t status, const headers& extra);
  void send_now() { now_.fresh = false, touch(); }
  void write(std::string_view bytes);
  void finish();
  void reset();
  void keep_alive(std::string_view comment) { now_.comment = comment; }
  void upgrade(const headers& answer, const std::shared_ptr<websocket_link>& link);

  // -- calls of its WebSocket
  std::string& outgoing(); ///< to append to; it leaves in this iteration
  size_t pending() const { return output_.pending(); }
  void touch(); ///< asks for a flush() in this iteration

  // -- calls of the shard
  /// Sends what waits, goes on to the next phase, and returns whether the connection stays.
  bool flush();
  void check_deadlines(clock::time_point now); ///< acts on those that have passed

  /// Answers with an error and closes, also in mid-request.
  void refuse(const http_refusal& why);

  /// Returns since when the client makes the server wait: for its request, or, if `stuck`, with
  /// bytes that are kept for it; nothing, if it does not.
  std::optional<clock::time_point> waiting_since(bool stuck) const;

  size_t of_its_address() const { return charge_.of_its_address(); } ///< connections
  void look_for_client(); ///< asks a client that sends no more whether it reads
  void give_up();         ///< closes without a word, in this iteration

  void retire();                    ///< no further request: closes now, or after its answer
  void close() { socket_.close(); } ///< closed() is called before this returns

  /// For the shard: the index among its connections, and whether flush() is due.
  size_t slot = 0;
  bool touched = false;

private:
  enum class phase { reading, answering, answered, upgraded, closing, lingering };

  void enter(phase next);
  void refuse_bytes();
  void fail_request();
  void advance();
  std::string_view consume(std::string_view bytes);
  void dispatch(request_head head);
  void open_answer(uint16_t status, const headers& extra, response_framing framing);
  void end_answer();
  bool is_flushed() const;
  bool charge();
  void settle();
  void update_reading();
  void check_request(clock::time_point now);
  void check_silence(clock::time_point now);
  void check_websocket(clock::time_point now);
  server_shard& home_;
  server_socket socket_;
  server_outbox output_;
  request_intake input_;
  client_reading reading_;
  buffer_charge charge_;
  std::shared_ptr<response_link> link_; // while answering
  std::unique_ptr<server_websocket> websocket_;
  present_request now_;
  clock::time_point since_; // start of the phase
  phase phase_ = phase::reading;
  bool doomed_ = false; // flush() will return false
  bool closed_ = false; // the socket is gone
};

} // namespace troupe

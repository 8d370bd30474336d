// One client connection: takes requests apart, one at a time, and sends their answers.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "transport/http/request_reader.hpp"
#include "transport/http/response_head.hpp"
#include "transport/http_server/server_outbox.hpp"
#include "transport/http_server/server_response.hpp"
#include "transport/http_server/server_socket.hpp"
#include "transport/http_server/server_websocket.hpp"

namespace troupe {

class server_shard;

/// Loop thread only. Bytes are written to the socket only in flush(), which the shard calls once
/// per loop iteration for every connection that called touch(). Only the shard closes the socket.
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

  server_connection(server_shard& home, std::string peer);
  server_connection(const server_connection&) = delete;
  server_connection& operator=(const server_connection&) = delete;

  // -- events of the socket

  void opened(server_socket socket) { socket_ = socket; }
  void receive(std::string_view bytes);
  void closed();

  // -- calls of the answer's handle; see http_response

  void send(uint16_t status, const headers& extra, std::string_view body);
  void start(uint16_t status, const headers& extra);
  void write(std::string_view bytes);
  void finish();
  void reset();
  void keep_alive(std::string_view comment) { comment_ = comment; }
  void upgrade(const headers& answer, const std::shared_ptr<websocket_link>& link);

  // -- calls of its WebSocket

  std::string& outgoing(); ///< to append to; it leaves in this iteration
  size_t pending() const { return output_.pending(); }
  void touch(); ///< asks for a flush() in this iteration

  // -- calls of the shard

  /// Sends what waits and goes on to the next phase. Returns whether the connection stays.
  bool flush();

  /// Acts on deadlines that have passed.
  void check_deadlines(clock::time_point now);

  /// Answers with an error and closes, also in mid-request.
  void refuse(const http_refusal& why);

  /// No further request: closes now if none is under way, else after its answer.
  void retire();

  /// Closes the socket; closed() is called before this returns.
  void close() { socket_.close(); }

  /// For the shard: the index among its connections, and whether flush() is due.
  size_t slot = 0;
  bool touched = false;

private:
  enum class phase { reading, answering, answered, upgraded, closing, lingering };

  void enter(phase next);
  void advance();
  std::string_view consume(std::string_view bytes);
  void dispatch(received_request request);
  void open_answer(uint16_t status, const headers& extra, response_framing framing);
  void end_answer();
  bool is_flushed() const;
  void settle();
  void update_reading();
  void check_request(clock::time_point now);
  void check_silence(clock::time_point now);

  server_shard& home_;
  server_socket socket_;
  server_outbox output_;
  std::string peer_;
  std::string input_; // received, but not consumed
  request_reader reader_;
  std::shared_ptr<response_link> link_; // while answering
  std::unique_ptr<server_websocket> websocket_;
  std::string_view comment_; // for silent answers
  clock::time_point since_;  // start of the phase or the request, or the last progress of its body
  phase phase_ = phase::reading;
  bool served_ = false;    // a request has been answered
  bool receiving_ = true;  // the socket is being read
  bool doomed_ = false;    // flush() will return false
  bool closed_ = false;    // the socket is gone
  bool keep_alive_ = true; // of the present request, like the members below
  bool http_1_0_ = false;
  bool head_only_ = false;
  bool started_ = false;
  bool fresh_ = false; // the answer has started, and flush() was not called since
  bool chunked_ = false;
  bool bodyless_ = false;
};

} // namespace troupe

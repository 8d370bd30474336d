// The answer of another node on its way to a client.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "apps/engine/http/nodes/forward_counts.hpp"
#include "messages/errors.hpp"
#include "messages/http.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// How a forwarded request begins.
struct forward_start {
  enum class kind : uint8_t {
    passed,     ///< the answer is on its way; nothing more is told
    not_owner,  ///< the node does not run the turn; the client was told nothing
    refused,    ///< the node did not let this one in; the client was told nothing
    unreachable ///< the node did not answer; the client was told nothing
  };
  kind what = kind::unreachable;
  failure why = {};      ///< of refused, unreachable; for the log
  bool was_sent = false; ///< unreachable: the node may have got the request
};

/// Passes the answer of one exchange on: its status, fields and bytes, at the client's speed. Kept
/// alive by the exchange. If the node is lost in mid-answer, the client's connection is reset: it
/// must not take the answer for a whole one.
///
/// No lock: the exchange calls from its loop, the client's connection from its own, and each
/// member that both use is atomic.
class answer_relay : public std::enable_shared_from_this<answer_relay> {
public:
  using teller = std::function<void(forward_start)>;

  answer_relay(std::shared_ptr<http_response> client, std::shared_ptr<forward_counts> counts);
  ~answer_relay();

  answer_relay(const answer_relay&) = delete;
  answer_relay& operator=(const answer_relay&) = delete;

  /// Sends the request; once. @param tell is called once, on the exchange's thread, unless the
  /// client has left before @param left is called when it has, on any thread
  void begin(http_port& http, http_request request, teller tell, std::function<void()> left);

  /// The client has left: ends the exchange. Any thread.
  void cancel();

  /// Ends the exchange unless its answer has begun. Any thread.
  /// @return whether it had not; then nothing is told, and the client is free for another answer
  bool give_up();

private:
  void arrive(http_part&& part);
  void on_head(http_part& part);
  void on_bytes(std::string& bytes);
  void on_end(const http_part& part);
  void on_client(response_signal what);
  void tell(forward_start how);
  void drop_exchange();

  std::shared_ptr<http_response> client_;
  std::shared_ptr<forward_counts> counts_;
  teller tell_;
  std::function<void()> left_;
  headers fields_;   ///< of an answer that goes on in one piece
  std::string held_; ///< its body so far
  uint16_t status_ = 0;
  enum class stage : uint8_t { waiting, begun, given_up };
  std::atomic<stage> stage_{stage::waiting}; ///< begun: the client gets this answer
  bool whole_ = false;                       ///< it goes on in one piece
  std::atomic<bool> over_{false};
  std::atomic<bool> paused_{false};
  std::atomic<uint32_t> drained_{0}; ///< how often the client said so
  std::atomic<std::shared_ptr<http_exchange>> exchange_;
};

} // namespace troupe

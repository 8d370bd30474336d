// One turn over HTTP.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apps/bench/target/http/answer_reader.hpp"
#include "apps/bench/target/target.hpp"
#include "messages/ports/ports.hpp"

namespace troupe::bench {

/// Reads the answer to one request and tells what it says. Lives on one loop; owned by its handle,
/// and after that by its target, until the body has ended, so that the connection can be used
/// again.
class http_turn : public std::enable_shared_from_this<http_turn> {
public:
  /// @param client must outlive the turn
  http_turn(http_port& client, std::unique_ptr<answer_reader> reader, target::watcher watch);

  /// Sends the request.
  void open(http_request request);

  /// Sends the request to stop the turn; the answer is then read to its end. Without a request
  /// closes the connection. @return whether a last observation follows
  bool stop(std::optional<http_request> request);

  void pause();
  void resume();

  /// Reports no more observations. A turn that is not over is cut off.
  void let_go();

  /// Returns whether the last observation was told.
  bool over() const noexcept { return told_last_; }

  /// Returns whether nothing is read any more: bodies have ended, or were cut off.
  bool closed() const noexcept { return exchange_ == nullptr && stop_ == nullptr; }

  answer_reader& reader() noexcept { return *reader_; }

private:
  void take(http_part&& part);
  void read(http_part& part);
  void read_refusal(http_part& part);
  void stop_answered(http_part&& part);
  void fail(errc code, std::string_view text);
  void tell(time_point at);
  void tell_last();

  http_port& client_;
  std::unique_ptr<answer_reader> reader_;
  target::watcher watch_;
  std::unique_ptr<http_exchange> exchange_;
  std::unique_ptr<http_exchange> stop_;
  answer_reader::observations observations_; ///< of the read at hand
  std::optional<turn_observation> held_; ///< the last observation, while the stop is not answered
  std::string refusal_;                  ///< body of an answer with an error status
  uint64_t bytes_ = 0;
  uint16_t status_ = 0;
  bool gone_ = false;
  bool told_last_ = false;
};

} // namespace troupe::bench

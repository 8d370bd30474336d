// Reads the answer to a turn as it comes: bytes in, observations out, or a refusal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/bench/target/target.hpp"
#include "messages/errors.hpp"
#include "messages/wire/sse.hpp"

namespace troupe::bench {

/// Reads one answer that is a stream of server-sent events; a class for each protocol takes the
/// events apart. The protocol's own terminator is what ends an answer, never the end of its bytes.
///
/// Only content is text. Reasoning and tool arguments are not, as in AIPerf's time to first output
/// token and in guidellm, but they count as bytes. Each chunk with text is one piece, however long.
class answer_reader {
public:
  using observations = std::vector<turn_observation>;

  /// @param keep_bytes longest text to keep for take_text(); 0: none
  explicit answer_reader(size_t keep_bytes) : keep_bytes_{keep_bytes} {}
  virtual ~answer_reader() = default;
  answer_reader(const answer_reader&) = delete;
  answer_reader& operator=(const answer_reader&) = delete;

  /// Reads the bytes of one network read and appends their observations to `out`: all but `event`,
  /// without times. Adjacent pieces of text are one observation.
  void feed(std::string_view bytes, observations& out);

  /// Takes the proper end of the body: appends `failed` (model_stream_cut) unless over().
  void finish(observations& out);

  /// Returns whether `end` or `failed` was appended; nothing is read any more.
  bool over() const noexcept { return over_; }

  /// Notes that the lane has stopped the turn: an end with "stopped" is then a proper end.
  void expect_stop() noexcept { stop_expected_ = true; }

  /// Returns the text so far as the characters of a JSON string, without quotes; "" if too long.
  std::string take_text();

  /// Returns the id that the answer gave its message, in the same form; or "".
  const std::string& message_id() const noexcept { return message_id_; }

protected:
  /// Reads one event; within it the functions below may be called.
  virtual void read(const sse_event& each) = 0;

  /// The bytes have ended without a terminator.
  virtual void cut_short();

  /// Counts a piece of text, unless it is empty. @param literal a JSON string with its quotes
  void text(std::string_view literal);

  /// Notes what the turn has used so far: the last note of each count counts.
  void used(const usage& counts) noexcept { used_.update(counts); }

  void tell(observed what, uint32_t count = 1);
  void end();
  void fail(errc code, std::string_view why);

  /// Ends a turn that the target stopped: well after expect_stop(), else as failed.
  void stopped();

  std::string message_id_;

private:
  sse_parser events_;
  observations* out_ = nullptr; ///< during feed() and finish()
  std::string text_;
  size_t keep_bytes_;
  usage used_;
  bool over_ = false;
  bool stop_expected_ = false;
};

/// Makes a failure from an answer with a status other than 2xx: "HTTP 429: ..." with the code in
/// the body of Troupe's own errors, else the code nearest to the status.
failure refused_turn(uint16_t status, std::string_view body);

} // namespace troupe::bench

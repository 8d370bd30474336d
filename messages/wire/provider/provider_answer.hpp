// The answer in a provider's own JSON, apart from how the body that carries it is framed.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/errors.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// One text of an answer: the data of a server-sent event, or a JSON text of a body of lines. The
/// views hold until the reader returns.
struct answer_text {
  std::string_view type; ///< of the event; "" if none was given
  std::string_view data; ///< without space at its ends, never empty
  size_t readable = 0;   ///< bytes that may be read from data.data() on, for parsers that need more
};

/// Collects one answer from its texts. An answer_decoder owns it, finds the texts, and knows what
/// it means that a body broke off. Not thread safe.
class provider_answer {
public:
  provider_answer() = default;
  provider_answer(const provider_answer&) = delete;
  provider_answer& operator=(const provider_answer&) = delete;
  virtual ~provider_answer() = default;

  /// Reads one text and appends its events (model_decoder::feed lists them).
  /// @return errc::model_answer_invalid for a text that is no JSON or passes a bound; the codes of
  /// provider_error() for an error that the provider reports
  virtual failure read(const answer_text& text, std::vector<event>& out) = 0;

  /// Reads whole events at the start of `stream` that it knows by their form, faster than read().
  /// Returns the number of bytes read; 0: none.
  virtual size_t read_known_events(std::string_view, std::vector<event>&) { return 0; }

  /// Returns whether anything of an answer came.
  virtual bool begun() const noexcept = 0;

  /// Returns whether the model is done: the body may end here, and usage or the like may follow.
  virtual bool finished() const noexcept = 0;

  /// Returns whether more of the answer came after its end: some servers say one all along.
  virtual bool resumed() const noexcept { return false; }

  /// Returns whether the provider's own terminator came. What follows it is ignored.
  virtual bool ended() const noexcept = 0;

  /// Returns whether all that came is one whole answer, not pieces of one.
  virtual bool whole() const noexcept = 0;

  /// The answer is over: shows what is held back, and completes all calls.
  virtual void complete(std::vector<event>& out) = 0;

  /// The answer failed: shows what is held back, and completes the calls that were shown.
  virtual void complete_started(std::vector<event>& out) = 0;

  /// Returns the end of a complete answer: reason, raw_reason, used, provider_metadata, goes_on.
  virtual model_end end() const = 0;

  /// Returns the tokens counted so far; those of a failed answer count, too.
  virtual const usage& used() const noexcept = 0;
};

/// Returns the failure of an answer in which nothing was generated.
inline failure said_nothing() {
  return {errc::model_failed, "The model ended its answer without saying anything."};
}

} // namespace troupe

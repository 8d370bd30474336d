// The arguments of a client's call, shown while the model writes them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "messages/chat/events.hpp"

namespace troupe {

/// Finds out how far a text of arguments is sure to be the beginning of what they will be: faults
/// of models are mended at the end (call_repairs.hpp), and what is shown cannot be taken back. Sure
/// is strict JSON from the first member of an object on. Not thread safe.
class argument_pieces {
public:
  /// Takes more of the text; returns what has become sure, valid until the next call.
  std::string_view take(std::string_view more);

  /// Returns what take() has given out so far.
  std::string_view shown() const noexcept;

private:
  bool step(); ///< goes one token further; false: nothing more is sure
  bool begin(size_t at);
  bool comma(size_t at);
  bool string();
  bool word();
  bool close(char bracket);
  size_t escape(size_t at) const;

  std::string text_;
  std::string open_;                 ///< brackets
  size_t first_ = std::string::npos; ///< where the object begins
  size_t sure_ = 0;                  ///< all before is
  size_t given_ = 0;                 ///< by take()
  bool inside_ = false;              ///< of a string
  bool broken_ = false;              ///< or complete: nothing more is shown
};

/// The one call of a client that is shown piece by piece. Where models make several at once, the
/// others are shown when they are complete, as are calls that come whole in one batch. One object
/// per stream; not thread safe.
class call_pieces {
public:
  /// Notes a call; ones of the engine, and of unknown tools, are none.
  void start(const tool_args_start& call);

  /// Returns what is to be shown now; "" = nothing. @param batch has the piece
  std::string_view take(const tool_args_delta& piece, const event_batch& batch);

  /// Returns whether something was shown of the call that is under way.
  bool has_shown() const noexcept { return !arguments_.shown().empty(); }

  /// Returns the call that is under way; it has an id.
  const tool_args_start& call() const noexcept { return call_; }

  /// Returns what is left to show of a call; "" where it ended with an error; nothing, if none of
  /// it was shown.
  std::optional<std::string> complete(const tool_args_complete& whole);

private:
  tool_args_start call_; ///< without an id: none is under way
  argument_pieces arguments_;
};

} // namespace troupe

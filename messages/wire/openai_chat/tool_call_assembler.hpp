// Tool calls put together from the pieces in which chat-completions servers send them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/errors.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"

namespace troupe {

/// One element of `delta.tool_calls`. Empty views are what the server left out.
struct tool_call_piece {
  int64_t index = -1; ///< negative: none given
  std::string_view id;
  std::string_view name;
  std::string_view arguments;     ///< JSON text, or a part of it, from json_string_piece
  std::string_view metadata = {}; ///< tool_call::provider_metadata; the call's last one counts
};

/// Follows JSON text piece by piece, to know when an object or array is closed.
class json_balance {
public:
  void read(std::string_view text) noexcept;
  /// Returns whether an object or array was opened and closed again.
  bool closed() const noexcept { return entered_ && depth_ == 0; }

private:
  uint32_t depth_ = 0;
  bool entered_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
};

/// Finds out which call each piece belongs to, and makes the events of the calls. Servers leave out
/// or repeat indexes, ids and names; a call is told by its id, then by its index, then by being the
/// last one. Not thread safe.
class tool_call_assembler {
public:
  static constexpr size_t max_calls = 128;
  static constexpr size_t max_argument_bytes = size_t{1024} * 1024; ///< of one call

  /// @param id_prefix makes ids for calls that come without one: prefix + running number
  explicit tool_call_assembler(std::string id_prefix);

  /// Says that the pieces from here on come in another chunk than those before.
  void next_chunk() noexcept { ++chunk_; }

  /// Takes one piece and appends the events that follow from it.
  /// @return errc::model_answer_invalid when a bound is passed
  failure add(const tool_call_piece& piece, std::vector<event>& out);

  /// Completes calls whose arguments are closed JSON, because something else has begun. Calls are
  /// completed in order, so one that is open keeps back those behind it.
  void complete_closed(std::vector<event>& out);

  /// Completes all calls, by index. Calls of which neither name nor arguments came are dropped.
  /// @param cut the answer was cut: arguments of which nothing came are not taken for none
  void complete_all(bool cut, std::vector<event>& out);

  /// Completes the calls that have been shown already, after a failure.
  void complete_started(std::vector<event>& out);

  /// Returns whether any call was asked for.
  bool any() const noexcept;

private:
  struct call {
    int64_t index = -1;
    uint64_t chunk = 0; ///< in which it began
    std::string id;
    std::string name;
    std::string arguments;
    std::string metadata;
    json_balance balance;
    bool own_id = true; ///< the id is ours, the server gave none
    bool started = false;
    bool completed = false;
    surrogate_joiner characters; ///< of the arguments
  };

  call* find(const tool_call_piece& piece);
  call* find_by_id(const tool_call_piece& piece);
  call* latest(int64_t index);
  static bool reuses_id(const call& known, const tool_call_piece& piece);
  bool adopt_id(call& open, const tool_call_piece& piece);
  bool begins_another(const call& open, const tool_call_piece& piece) const;
  call& begin(const tool_call_piece& piece);
  bool id_taken(std::string_view id) const;
  void take_id(call& into, std::string_view id);
  void take_arguments(call& into, std::string_view piece, std::vector<event>& out);
  void start(call& which, std::vector<event>& out);
  void complete(call& which, std::vector<event>& out, bool cut = false);

  std::string id_prefix_;
  std::vector<call> calls_;
  uint64_t chunk_ = 0;
  uint32_t ids_made_ = 0;
};

} // namespace troupe

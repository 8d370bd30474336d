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

/// One element of `delta.tool_calls`. Members that the server left out are empty.
struct tool_call_piece {
  int64_t index = -1; ///< negative: none given
  std::string_view id;
  std::string_view name;
  std::string_view arguments;     ///< JSON text, or a part of it, from json_string_piece
  std::string_view metadata = {}; ///< tool_call::provider_metadata; the last one of a call counts
};

/// Returns the text of arguments, or of a piece of them: servers write JSON text in a string, or
/// the value itself. "" if there is none. @param slice see json_slice.hpp
std::string argument_text(std::string_view slice);

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

/// Finds the call of each piece, and makes the events of the calls. Servers leave out or repeat
/// indexes, ids and names; a call is found by its id, else by its index, else the last call is
/// taken. One call that stands for several (is_parallel_call) becomes these. Not thread safe.
class tool_call_assembler {
public:
  static constexpr size_t max_calls = 128;
  static constexpr size_t max_argument_bytes = size_t{1024} * 1024; ///< of one call

  /// @param id_prefix makes ids for calls that come without one: prefix + running number
  explicit tool_call_assembler(std::string id_prefix);

  /// Tells that later pieces come in another chunk.
  void next_chunk() noexcept { ++chunk_; }

  /// Takes one piece and appends the resulting events.
  /// @return errc::model_answer_invalid when a bound is passed
  failure add(const tool_call_piece& piece, std::vector<event>& out);

  /// Completes calls whose arguments are closed JSON; called when another kind of content begins.
  /// Calls are completed in order, so an open call delays the calls after it.
  void complete_closed(std::vector<event>& out);

  /// Completes all calls, by index. Calls with neither name nor arguments are dropped.
  /// @param cut the answer was cut: missing arguments do not count as empty arguments
  void complete_all(bool cut, std::vector<event>& out);

  /// Completes the calls that have been shown already, after a failure.
  void complete_started(std::vector<event>& out);

  /// Returns whether the model asked for any call.
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
  bool unpack(call& which, std::vector<event>& out);
  void complete(call& which, std::vector<event>& out, bool cut = false);

  std::string id_prefix_;
  std::vector<call> calls_;
  std::vector<std::string> unpacked_; ///< ids of calls that came as one
  uint64_t chunk_ = 0;
  uint32_t ids_made_ = 0;
};

} // namespace troupe

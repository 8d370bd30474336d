// The order in which the parts of one step of an answer are shown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// A run of an answer's characters that is shown as one part.
enum class shown_run : uint8_t { none, reasoning, text };

/// Collects the parts of a step while its message is put together. Of a step that is shown in the
/// plain way (step-start, reasoning, text, calls) it notes nothing. Not thread safe.
class shown_layout {
public:
  /// Begins a step. @param has_start whether it is shown with a step-start
  void open(bool has_start = true);

  /// Adds bytes to the run that is open, or opens one.
  void add(shown_run kind, size_t bytes);

  /// Ends the open run: what follows is another part.
  void close() noexcept { open_ = shown_run::none; }

  /// Adds a run that is a part of its own. @param members other members of the part; "" = as usual
  void add_part(shown_run kind, size_t bytes, std::string members);

  /// Adds an entry that is no run: a file, any other part.
  void put(shown_part part);

  /// Adds a call. @param title its label beside its name; "" = none
  void put_call(const std::string& id, const std::string& title);

  /// Replaces the entries of a call that is none, as it was never completed; adds one if there are
  /// none.
  void replace_call(std::string_view id, shown_part part);

  /// Returns how many runs there are.
  size_t runs() const noexcept { return runs_; }

  /// Returns whether nothing is there, not even a step-start.
  bool empty() const noexcept { return !starts_ && runs_ == 0 && parts_.empty(); }

  /// Gives each reasoning the id that its part has in the stream: its number among the runs.
  /// @param first the number of the first run here
  void name_reasoning(size_t first);

  /// Ends the step; returns chat_message::shown, which is empty if the step is plain.
  std::vector<shown_part> take(const std::vector<tool_call>& calls);

private:
  void list();
  void append(shown_run kind, size_t bytes, std::string members);
  size_t& bytes_of(shown_run kind) { return kind == shown_run::text ? text_ : reasoning_; }

  std::vector<shown_part> parts_;
  size_t text_ = 0;
  size_t reasoning_ = 0;
  size_t runs_ = 0;
  shown_run open_ = shown_run::none;
  bool starts_ = true;
  bool lists_ = false; ///< parts_ has all; else the step is plain so far
};

/// Returns the entries of a message that is shown in the plain way. @param who wrote it
std::vector<shown_part> plain_layout(const chat_message& message);

} // namespace troupe

// Thoughts that a server left in the text: an answer that begins with <think> ... </think>, or in
// the middle of that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/events.hpp"

namespace troupe {

/// Separates reasoning from text. A tag counts only if it is the first text that is not blank:
///
///     start ----- <think> ----> inside ---- </think> ----> behind --- text ---> off
///       '--- anything else -------------------------------------------------> off
///
/// If the model's prompt ends with the opening tag (chat templates of DeepSeek R1, Qwen3), the
/// answer may lack it: then anything else leads to `inside`. Line ends next to the tags are
/// dropped. A tag may come in any pieces; a text that may become a tag is held back. Not thread
/// safe.
class think_tags {
public:
  static constexpr size_t max_blank_bytes = 256; ///< space before the tag; above it there is no tag

  /// @param opened the opening tag may be missing
  explicit think_tags(bool opened = false) noexcept : opened_{opened} {}

  /// Returns whether texts must go through read(); false once all further text is plain.
  bool active() const noexcept { return state_ != state::off; }

  /// Takes the next text and appends the part whose kind is certain.
  void read(std::string_view text, std::vector<event>& out);

  /// Takes events of an answer: their texts as above; the others flush() before them.
  void read_events(std::vector<event> events, std::vector<event>& out);

  /// Appends held-back text; called when another kind of event begins or the answer is over. After
  /// it no opening tag is looked for. If only space came so far, all further text is plain: the
  /// server separates reasoning itself.
  void flush(std::vector<event>& out);

private:
  enum class state : uint8_t { start, inside, behind, off };

  void read_start();
  void leave_start();
  void read_inside(std::vector<event>& out);
  void read_behind(std::vector<event>& out);
  void show_thought(size_t bytes, std::vector<event>& out);
  void show_text(std::vector<event>& out);

  std::string held_;
  std::string_view closing_; ///< the tag that ends the thoughts
  bool thought_ = false;     ///< a thought was shown
  bool opened_;              ///< the answer may begin inside
  state state_ = state::start;
};

} // namespace troupe

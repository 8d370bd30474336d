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

/// Tells thoughts from text. They are thoughts only where the first text that is not blank is the
/// opening tag:
///
///     start ----- <think> ----> inside ---- </think> ----> behind --- text ---> off
///       '--- anything else -------------------------------------------------> off
///
/// Of a model whose prompt ends with the opening tag (chat templates of DeepSeek R1, Qwen3) the tag
/// may be missing: anything else leads inside then. Line ends next to the tags belong to neither. A
/// tag may come in any pieces; what may yet become one is held back. Not thread safe.
class think_tags {
public:
  static constexpr size_t max_blank_bytes = 256; ///< space before the tag; after more there is none

  /// @param opened the opening tag may be missing
  explicit think_tags(bool opened = false) noexcept : opened_{opened} {}

  /// Returns whether text has to be read here; false once all that follows is text.
  bool active() const noexcept { return state_ != state::off; }

  /// Takes the next text and appends what is certain of it.
  void read(std::string_view text, std::vector<event>& out);

  /// Appends what is held back, because something else has begun or the answer is over. An opening
  /// tag is not looked for any more, and what follows is text if there was nothing but space yet:
  /// the server tells thoughts from text itself.
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

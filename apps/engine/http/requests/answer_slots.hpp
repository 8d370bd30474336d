// How many large answers are made at the same time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace troupe {

/// Has answers that may be as large as a chat made a few at a time, in the order of their requests:
/// each is in memory, as values and as JSON, before its client takes any of it. Any thread.
class answer_slots {
public:
  /// Given back when the last copy is destroyed, also after the end of the answer_slots.
  using slot = std::shared_ptr<void>;

  explicit answer_slots(size_t most);

  /// Returns a slot if there is one. Else `later` gets it, once, on the thread that gave it back:
  /// it must not block.
  slot take(std::function<void(slot)> later);

private:
  struct line;

  static slot make(const std::shared_ptr<line>& of);
  static void give_back(const std::shared_ptr<line>& to);

  std::shared_ptr<line> line_;
};

} // namespace troupe

// How many large answers are made at the same time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace troupe {

/// Has answers that may be as large as a chat made a few at a time, in the order of their requests:
/// each is in memory, as values and as JSON, before its client takes any of it. Any thread.
class answer_places {
public:
  /// Given back when the last copy is destroyed, also after the end of the answer_places.
  using place = std::shared_ptr<void>;

  explicit answer_places(size_t most);

  /// Returns a place if there is one. Else `later` gets it, once, on the thread that gave it back:
  /// it must not block.
  place take(std::function<void(place)> later);

private:
  struct line;

  static place make(const std::shared_ptr<line>& of);
  static void give_back(const std::shared_ptr<line>& to);

  std::shared_ptr<line> line_;
};

} // namespace troupe

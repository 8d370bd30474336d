// What is found out about a model while it is asked.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The name of the bound on an answer's tokens, which has two in chat completions.
enum class bound_name : uint8_t {
  usual, ///< as the server's dialect says
  old,   ///< max_tokens
  newer, ///< max_completion_tokens
};

/// What all requests to one model share beside its configuration. A copy begins empty. Any thread.
class model_lessons {
public:
  model_lessons() = default;
  ~model_lessons() = default;
  model_lessons(const model_lessons&) noexcept : model_lessons() {}
  model_lessons& operator=(const model_lessons&) noexcept { return *this; }

  /// Returns the name of the bound that the server has not refused.
  bound_name bound() const noexcept { return bound_; }

  /// The server refused the bound's other name. Does nothing when both were refused already.
  /// @return whether requests say that name from now on
  bool use_bound(bound_name name) const noexcept;

  /// Notes a parameter that is left out of requests. @param parameter one of a fixed list: all are
  /// kept
  void leave_out(std::string_view parameter) const;

  /// Returns the parameters noted since the last call that were not noted before.
  std::vector<std::string> take_left_out() const;

private:
  mutable std::atomic<bound_name> bound_{bound_name::usual};
  mutable uint8_t changes_ = 0; ///< of bound_, under mutex_
  mutable std::atomic<bool> has_new_{false};
  mutable std::mutex mutex_;
  mutable std::set<std::string, std::less<>> left_out_;
  mutable std::vector<std::string> new_; ///< of left_out_
};

} // namespace troupe

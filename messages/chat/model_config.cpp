#include "messages/chat/model_config.hpp"

#include <utility>

namespace troupe {

namespace {

/// A server that refuses both names would be asked for ever.
constexpr uint8_t max_changes = 2;

/// Names come from outside.
constexpr size_t max_refused = 32;

/// Requests that were under way when the first refusal came are refused, too.
constexpr uint32_t max_repeats = 16;

} // namespace

bool model_lessons::use_bound(bound_name name) const noexcept {
  const std::lock_guard guard{mutex_};
  if (bound_ != name && changes_ < max_changes) {
    ++changes_;
    bound_ = name;
  }
  return bound_ == name;
}

bool model_lessons::refuse(std::string_view parameter) const {
  const std::lock_guard guard{mutex_};
  const auto known = refused_.find(parameter);
  if (known != refused_.end())
    return ++known->second <= max_repeats;
  if (refused_.size() >= max_refused)
    return false;
  refused_.emplace(parameter, 0);
  has_refused_ = true;
  return true;
}

bool model_lessons::refuses(std::string_view parameter) const {
  if (!has_refused_)
    return false;
  const std::lock_guard guard{mutex_};
  return refused_.contains(parameter);
}

void model_lessons::leave_out(std::string_view parameter) const {
  const std::lock_guard guard{mutex_};
  if (left_out_.contains(parameter))
    return;
  left_out_.emplace(parameter);
  new_.emplace_back(parameter);
  has_new_ = true;
}

std::vector<std::string> model_lessons::take_left_out() const {
  if (!has_new_)
    return {};
  const std::lock_guard guard{mutex_};
  has_new_ = false;
  return std::exchange(new_, {});
}

} // namespace troupe

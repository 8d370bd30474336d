#include "messages/chat/model_config.hpp"

#include <utility>

namespace troupe {

namespace {

/// A server that refuses both names would be asked for ever.
constexpr uint8_t max_changes = 2;

} // namespace

bool model_lessons::use_bound(bound_name name) const noexcept {
  const std::lock_guard guard{mutex_};
  if (bound_ != name && changes_ < max_changes) {
    ++changes_;
    bound_ = name;
  }
  return bound_ == name;
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

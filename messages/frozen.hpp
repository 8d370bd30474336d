// A value that has many owners and never changes.
#pragma once

#include <memory>
#include <utility>

namespace troupe {

/// Shares one immutable value within the process; between nodes it travels as a copy. Never empty.
template <class T>
class frozen {
public:
  frozen() : value_(empty()) {}
  explicit frozen(T value) : value_(std::make_shared<const T>(std::move(value))) {}

  const T& operator*() const noexcept { return *value_; }
  const T* operator->() const noexcept { return value_.get(); }

  template <class Inspector>
  friend typename Inspector::result_type inspect(Inspector& f, frozen& self) {
    if constexpr (Inspector::reads_state) {
      return f(const_cast<T&>(*self.value_)); // CAF reads through a non-const reference, too
    } else {
      auto fresh = std::make_shared<T>();
      auto result = f(*fresh);
      self.value_ = std::move(fresh);
      return result;
    }
  }

private:
  /// Never destroyed: a static engine may use it when other statics are gone.
  static const std::shared_ptr<const T>& empty() {
    using shared = std::shared_ptr<const T>;
    static const shared& nothing = *std::make_unique<shared>(std::make_shared<const T>()).release();
    return nothing;
  }

  std::shared_ptr<const T> value_;
};

} // namespace troupe

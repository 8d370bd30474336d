// A file descriptor with an owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace troupe {

/// Owns a file descriptor and closes it. Any thread, one at a time.
class descriptor {
public:
  descriptor() = default;
  explicit descriptor(int fd) noexcept : fd_{fd} {}
  ~descriptor() { reset(); }
  descriptor(descriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
  descriptor& operator=(descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  /// Returns the descriptor, or -1 if there is none.
  int get() const noexcept { return fd_; }

  explicit operator bool() const noexcept { return fd_ >= 0; }

  /// Closes it.
  void reset() noexcept {
    if (fd_ >= 0)
      ::close(std::exchange(fd_, -1));
  }

private:
  int fd_ = -1;
};

} // namespace troupe

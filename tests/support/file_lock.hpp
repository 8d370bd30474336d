// A lock that processes have in common.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace troupe::test {

/// A lock on a file, which is made if it is not there. What is held ends with the object, and with
/// the process, whatever ends it; programs that the process starts do not inherit it.
class file_lock {
public:
  /// Throws std::runtime_error if the file cannot be made.
  explicit file_lock(const std::string& path)
      : file_{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)} {
    if (file_ < 0)
      throw std::runtime_error{"no lock can be made at " + path};
  }
  ~file_lock() { ::close(file_); }
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;

  /// Waits until nobody has it alone, and holds it with others.
  void share() { change(LOCK_SH); }
  /// Waits until nobody has it.
  void take() { change(LOCK_EX); }
  /// Returns whether nobody had it.
  bool try_take() { return ::flock(file_, LOCK_EX | LOCK_NB) == 0; }
  void release() { change(LOCK_UN); }

private:
  void change(int how) {
    while (::flock(file_, how) != 0)
      if (errno != EINTR)
        throw std::runtime_error{"a lock cannot be changed"};
  }

  int file_;
};

} // namespace troupe::test

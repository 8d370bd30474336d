// A child process on a loop of its own, seen from a test's thread.
#pragma once

#include <sys/wait.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "transport/child/child_process.hpp"

namespace troupe::test {

/// Runs one child process; every wait has a limit of 20 s, after which the test fails.
class child_probe : child_listener {
public:
  explicit child_probe(loop& home, child_graces graces = {}) : home_{home} {
    home_.call([&] { child_ = std::make_unique<child_process>(home_, listener(), graces); });
  }

  ~child_probe() override { destroy(); }

  void start(child_command command) {
    home_.call([&] { child_->start(std::move(command)); });
  }

  /// Starts `sh -c script` and waits until the shell runs.
  void shell(const std::string& script) {
    start({{"sh", "-c", script}, {}, {}});
    wait_for_start();
  }

  /// Returns its process id, or -1 if it could not start.
  pid_t wait_for_start() {
    wait([this] { return started || end; });
    return pid();
  }

  void write(const std::string& bytes) {
    home_.call([&] { child_->write(bytes); });
  }

  void close() {
    home_.call([&] { child_->close(); });
  }

  void destroy() {
    home_.call([&] { child_.reset(); });
  }

  pid_t pid() {
    pid_t out = -1;
    home_.call([&] { out = child_->pid(); });
    return out;
  }

  std::string error_tail() {
    std::string out;
    home_.call([&] { out = child_->error_tail(); });
    return out;
  }

  std::string wait_for_output(const std::string& part) {
    wait([&] { return output.find(part) != std::string::npos; });
    return output;
  }

  child_end wait_for_end() {
    wait([this] { return end.has_value(); });
    return *end;
  }

  bool started = false;
  std::string output;
  std::optional<child_end> end;
  int ends = 0;

private:
  template <class Condition>
  void wait(Condition met) {
    std::unique_lock guard{mutex_};
    const bool in_time = changed_.wait_for(guard, std::chrono::seconds{20}, met);
    INFO("output so far: " << output.substr(0, 200));
    REQUIRE(in_time);
  }

  child_listener& listener() { return *this; }

  void child_started() override {
    tell([this] { started = true; });
  }
  void child_wrote(std::string_view bytes) override {
    tell([&] { output += bytes; });
  }
  void child_ended(child_end how) override {
    tell([&] {
      ++ends;
      end = std::move(how);
    });
  }

  template <class Change>
  void tell(Change change) {
    std::lock_guard guard{mutex_};
    change();
    changed_.notify_all();
  }

  loop& home_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unique_ptr<child_process> child_;
};

/// Returns whether there is a process with that id, be it a zombie.
inline bool exists(pid_t pid) {
  return std::filesystem::exists("/proc/" + std::to_string(pid));
}

/// Returns whether this process has children, be they zombies.
inline bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/// Returns whether a process runs: it exists and is no zombie.
inline bool runs(pid_t pid) {
  std::ifstream file{"/proc/" + std::to_string(pid) + "/stat"};
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(')');
  return name_end != std::string::npos && text.at(name_end + 2) != 'Z';
}

/// Waits until `met()` or 20 s have passed; for what nobody reports. Returns whether it came true.
template <class Condition>
bool comes_true(Condition met) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (!met())
    if (std::chrono::steady_clock::now() > end)
      return false;
  return true;
}

inline size_t open_descriptors() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator{"/proc/self/fd"})
    ++count;
  return count;
}

} // namespace troupe::test

#include "transport/dump_protection.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/catch.hpp"

namespace dump_protection_test {

using namespace troupe;

namespace {

/// Runs a function of system calls in a fork, whose exit code is its result.
template <class Function>
int in_a_fork(Function what) {
  const pid_t pid = ::fork();
  if (pid == 0)
    ::_exit(what());
  int status = -1;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int dumpable() {
  return ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

/// Returns whether a process that protected itself may be dumped, with TROUPE_DUMPABLE like this.
int with(const char* value) {
  return in_a_fork([value] {
    if (value == nullptr)
      ::unsetenv("TROUPE_DUMPABLE");
    else
      ::setenv("TROUPE_DUMPABLE", value, 1);
    protect_from_dumps();
    return dumpable();
  });
}

} // namespace

TEST_CASE("a protected process gives no dump, unless the environment allows it",
          "[transport][dump_protection]") {
  CHECK(with(nullptr) == 0);
  for (const char* value : {"", "0", "no", "11"})
    CHECK(with(value) == 0);
  CHECK(with("1") == 1);
  CHECK(dumpable() == 1);
}

TEST_CASE("forks of a protected process are protected", "[transport][dump_protection]") {
  CHECK(in_a_fork([] {
          protect_from_dumps();
          const pid_t pid = ::fork(); // as the watcher of programs is made
          if (pid == 0)
            ::_exit(dumpable());
          int status = -1;
          ::waitpid(pid, &status, 0);
          return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
        }) == 0);
}

TEST_CASE("a program that a protected process executes is not", "[transport][dump_protection]") {
  CHECK(in_a_fork([] {
          constexpr uid_t nobody = 65534;
          if (::getuid() == 0 && ::setresuid(nobody, nobody, nobody) != 0)
            return 2;
          protect_from_dumps();
          // Files in /proc of a protected process belong to root.
          ::execl("/bin/sh", "sh", "-c", "test -O /proc/self/environ", nullptr);
          return 2;
        }) == 0);
}

} // namespace dump_protection_test

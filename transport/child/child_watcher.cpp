#include "transport/child/child_watcher.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

namespace troupe {

namespace {

/// A message to the watcher; each is one packet.
struct group_news {
  pid_t group;
  bool lives;
};

/// More children than any configuration has.
constexpr size_t most_groups = 8192;

std::array<pid_t, most_groups> groups; // the watcher's
std::atomic<int> to_watcher{-1};

/// Only system calls: the process was forked from one with many threads.
void take(const group_news& news, size_t& count) {
  auto* const end = groups.data() + count;
  auto* const known = std::find(groups.data(), end, news.group);
  if (news.lives && known == end && count < most_groups)
    groups[count++] = news.group;
  else if (!news.lives && known != end)
    *known = groups[--count];
}

[[noreturn]] void watch(int told_by) {
  ::setsid(); // no terminal's Ctrl-C, no signal to the group of the program
  ::prctl(PR_SET_NAME, "troupe-watcher");
  if (told_by != 0)
    ::dup2(told_by, 0);
  ::close_range(1, ~0U, 0); // the readers of our pipes must see that the program has ended
  [[maybe_unused]] const int moved = ::chdir("/");
  size_t count = 0;
  for (;;) {
    group_news news{};
    const auto got = ::read(0, &news, sizeof news);
    if (got == static_cast<ssize_t>(sizeof news))
      take(news, count);
    else if (got >= 0 || errno != EINTR)
      break; // the other end is closed
  }
  for (size_t i = 0; i < count; ++i)
    ::kill(-groups[i], SIGKILL);
  ::_exit(0);
}

void tell(const group_news& news) {
  const int to = to_watcher.load(std::memory_order_relaxed);
  if (to >= 0 && news.group > 0)
    ::send(to, &news, sizeof news, MSG_NOSIGNAL | MSG_DONTWAIT);
}

} // namespace

void start_child_watcher() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return;
  const pid_t between = ::fork();
  if (between == 0) {
    ::close(ends[0]);   // else it would wait for itself
    if (::_Fork() == 0) // this process has no other thread, whatever the handlers of fork() expect
      watch(ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  if (between < 0) {
    ::close(ends[0]);
    return;
  }
  ::waitpid(between, nullptr, 0);
  to_watcher = ends[0]; // open as long as the process lives
}

void watch_group(pid_t group) {
  tell({group, true});
}

void forget_group(pid_t group) {
  tell({group, false});
}

} // namespace troupe

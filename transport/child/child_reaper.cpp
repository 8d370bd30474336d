#include "transport/child/child_reaper.hpp"

#include <poll.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <ev.h>
#include <fmt/format.h>

#include "transport/child/child_watcher.hpp"

namespace troupe {

namespace {

constexpr std::chrono::seconds patience{1}; // for the end of killed processes

/// The processes that one loop must still reap. Lives in the loop's thread and ends with it.
class orphanage {
public:
  orphanage() = default;
  ~orphanage();
  orphanage(const orphanage&) = delete;
  orphanage& operator=(const orphanage&) = delete;

  void take(struct ev_loop* on, descriptor exited);

private:
  struct orphan {
    ev_io watcher{};
    descriptor exited;
    struct ev_loop* on = nullptr;
  };

  static void ended(struct ev_loop* on, ev_io* watcher, int);

  std::vector<std::unique_ptr<orphan>> orphans_;
};

thread_local orphanage of_this_thread;

orphanage::~orphanage() {
  for (auto& each : orphans_) {
    ev_io_stop(each->on, &each->watcher);
    reap_within(patience, each->exited);
  }
}

void orphanage::take(struct ev_loop* on, descriptor exited) {
  auto& made = *orphans_.emplace_back(std::make_unique<orphan>());
  made.exited = std::move(exited);
  made.on = on;
  ev_io_init(&made.watcher, &orphanage::ended, made.exited.get(), EV_READ);
  ev_io_start(on, &made.watcher);
}

void orphanage::ended(struct ev_loop* on, ev_io* watcher, int) {
  ev_io_stop(on, watcher);
  std::erase_if(of_this_thread.orphans_, [watcher](const auto& each) {
    if (&each->watcher != watcher)
      return false;
    reap(each->exited);
    return true;
  });
}

} // namespace

std::string in_words(const exit_state& state) {
  if (state.signal == 0)
    return fmt::format("ended with exit status {}", state.code);
  const char* name = ::sigabbrev_np(state.signal);
  return fmt::format("was ended by signal {} (SIG{})", state.signal, name ? name : "?");
}

exit_state reap(const descriptor& exited) {
  siginfo_t info{};
  const auto id = static_cast<id_t>(exited.get());
  if (::waitid(P_PIDFD, id, &info, WEXITED | WNOHANG) != 0 || info.si_pid == 0)
    return {};
  if (info.si_code == CLD_EXITED)
    return {info.si_status, 0};
  return {0, info.si_status};
}

void kill_group(pid_t pid, int signal) {
  if (pid > 0 && ::kill(-pid, signal) != 0)
    ::kill(pid, signal); // sanitizers turn vfork into fork: the child may have no group yet
  if (signal == SIGKILL) // nothing of it is left, and its number may soon be another's
    forget_group(pid);
}

bool reap_within(std::chrono::milliseconds limit, const descriptor& exited) {
  pollfd waiting{exited.get(), POLLIN, 0};
  const auto ended = ::poll(&waiting, 1, static_cast<int>(limit.count())) > 0;
  reap(exited);
  return ended;
}

void reap_later(loop& home, descriptor exited) {
  if (!exited)
    return;
  if (home.is_current())
    of_this_thread.take(home.native(), std::move(exited));
  else
    reap_within(patience, exited);
}

} // namespace troupe

#include "transport/child_spawn.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include <sys/pidfd.h> // says so itself only from glibc 2.37 on
}

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "transport/descriptor_limit.hpp"

namespace troupe {

namespace {

enum class start_step : int { folder, execute };

/// What the child says through the status pipe before it gives up.
struct start_report {
  start_step step;
  int reason;
};

/// Everything the child needs, made before the fork: after it, only async-signal-safe calls are
/// allowed, because another thread may have held the allocator's lock.
struct child_plan {
  const char* file;
  char* const* argv;
  char* const* envp;
  const char* cwd; // nullptr = ours
  std::array<int, 3> standard;
  int status;
  pid_t parent;
};

failure cannot_start(std::string_view program, int reason) {
  return {errc::server_start_failed,
          fmt::format("can not start '{}': {}", program, std::strerror(reason))};
}

std::vector<char*> pointers(std::vector<std::string>& in) {
  std::vector<char*> out;
  out.reserve(in.size() + 1);
  for (auto& each : in)
    out.push_back(each.data());
  out.push_back(nullptr);
  return out;
}

/// Both ends close-on-exec; `ours` does not block. They are separate file descriptions, so the
/// child's end still does.
bool open_pipe(descriptor& reads, descriptor& writes, bool we_read) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return false;
  reads = descriptor{ends[0]};
  writes = descriptor{ends[1]};
  const int ours = we_read ? ends[0] : ends[1];
  return ::fcntl(ours, F_SETFL, O_NONBLOCK) == 0;
}

[[noreturn]] void give_up(int status, start_step step, int reason) {
  const start_report report{step, reason};
  [[maybe_unused]] const auto written = ::write(status, &report, sizeof report);
  ::_exit(127);
}

/// Puts the pipes at 0, 1 and 2. They are moved out of the way first: one of them may already
/// stand there when our own standard streams were closed.
bool place_standard_streams(child_plan& plan) {
  for (int& fd : plan.standard) {
    fd = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (fd < 0)
      return false;
  }
  plan.status = ::fcntl(plan.status, F_DUPFD_CLOEXEC, 3);
  for (int i = 0; i < 3; ++i)
    if (::dup2(plan.standard[static_cast<size_t>(i)], i) < 0)
      return false;
  return plan.status >= 0;
}

[[noreturn]] void become(child_plan plan) {
  for (int signal = 1; signal < NSIG; ++signal)
    ::signal(signal, SIG_DFL);
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != plan.parent) // it died before the line above
    ::_exit(127);
  if (!place_standard_streams(plan))
    give_up(plan.status, start_step::execute, errno);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  if (plan.cwd != nullptr && ::chdir(plan.cwd) != 0)
    give_up(plan.status, start_step::folder, errno);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  restore_descriptor_limit();
  ::execve(plan.file, plan.argv, plan.envp);
  give_up(plan.status, start_step::execute, errno);
}

/// Forks with every signal blocked, so that no handler of ours runs in the child.
pid_t fork_quietly(const child_plan& plan) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0)
    become(plan);
  const int reason = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = reason;
  return pid;
}

std::string_view path_of(const std::vector<std::string>& environment) {
  for (const std::string_view each : environment)
    if (each.starts_with("PATH="))
      return each.substr(5);
  return "/usr/local/bin:/usr/bin:/bin";
}

bool executable(const std::string& file, int& reason) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) {
    reason = errno == EACCES ? EACCES : reason;
    return false;
  }
  if (S_ISREG(info.st_mode) && ::access(file.c_str(), X_OK) == 0)
    return true;
  reason = EACCES;
  return false;
}

} // namespace

std::vector<std::string> child_environment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> out;
  for (const char* name : {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && !std::string_view{value}.starts_with("()") && !added.contains(name))
      out.push_back(fmt::format("{}={}", name, value));
  }
  for (const auto& [name, value] : added)
    out.push_back(fmt::format("{}={}", name, value));
  return out;
}

std::string find_program(std::string_view program, std::string_view path, int& reason) {
  reason = ENOENT;
  if (program.empty() || program.find('/') != std::string_view::npos)
    return std::string{program};
  while (!path.empty()) {
    const auto end = path.find(':');
    const auto folder = path.substr(0, end);
    path = end == std::string_view::npos ? std::string_view{} : path.substr(end + 1);
    if (!folder.starts_with('/'))
      continue;
    if (auto file = fmt::format("{}/{}", folder, program); executable(file, reason))
      return file;
  }
  return {};
}

failure spawn_child(const child_command& command, spawned_child& made) {
  if (command.argv.empty() || command.argv.front().empty())
    return {errc::server_start_failed, "can not start: there is no command"};
  auto environment = child_environment(command.env);
  auto arguments = command.argv;
  int reason = 0;
  const auto file = find_program(arguments.front(), path_of(environment), reason);
  if (file.empty())
    return cannot_start(arguments.front(), reason);

  spawned_child child;
  descriptor input;
  descriptor output;
  descriptor errors;
  descriptor status;
  if (!open_pipe(input, child.input, false) || !open_pipe(child.output, output, true) ||
      !open_pipe(child.errors, errors, true) || !open_pipe(child.start, status, true))
    return cannot_start(arguments.front(), errno);

  const auto argv = pointers(arguments);
  const auto envp = pointers(environment);
  const char* cwd = command.cwd.empty() ? nullptr : command.cwd.c_str();
  child.pid = fork_quietly({file.c_str(),
                            argv.data(),
                            envp.data(),
                            cwd,
                            {input.get(), output.get(), errors.get()},
                            status.get(),
                            ::getpid()});
  if (child.pid < 0)
    return cannot_start(arguments.front(), errno);
  ::setpgid(child.pid, child.pid); // the child does it too: whoever comes first
  child.exited = descriptor{::pidfd_open(child.pid, 0)};
  if (!child.exited) {
    reason = errno;
    ::kill(child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
    return cannot_start(arguments.front(), reason);
  }
  made = std::move(child);
  return {};
}

failure start_failure(const spawned_child& child, const child_command& command, bool& known) {
  start_report report{};
  const auto got = ::read(child.start.get(), &report, sizeof report);
  known = got >= 0;
  if (got != static_cast<ssize_t>(sizeof report))
    return {};
  if (report.step == start_step::folder)
    return {errc::server_start_failed,
            fmt::format("can not start '{}': folder '{}': {}", command.argv.front(), command.cwd,
                        std::strerror(report.reason))};
  return cannot_start(command.argv.front(), report.reason);
}

} // namespace troupe

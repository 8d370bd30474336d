#include "transport/child/child_spawn.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include <sys/pidfd.h> // before glibc 2.37 it lacks its own extern "C"
}

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "transport/child/child_reaper.hpp"
#include "transport/child/child_watcher.hpp"
#include "transport/descriptor_limit.hpp"

namespace troupe {

namespace {

enum class start_step : int { folder, execute };

/// The report of the child in the status pipe before it gives up.
struct start_report {
  start_step step;
  int reason;
};

/// All data that the child needs, made before the fork. The child shares our memory: it must not
/// allocate, and it must change nothing but its own frames.
struct child_plan {
  const char* file;
  char* const* argv;
  char* const* envp;
  const char* cwd; // nullptr = ours
  std::array<int, 3> standard;
  int status;
  pid_t parent;
  std::atomic<pid_t>* begun;
};

std::vector<char*> pointers(std::vector<std::string>& in) {
  std::vector<char*> out;
  out.reserve(in.size() + 1);
  for (auto& each : in)
    out.push_back(each.data());
  out.push_back(nullptr);
  return out;
}

/// Both ends are close-on-exec. Our end does not block; the child's end does, because the ends are
/// separate file descriptions.
bool open_pipe(descriptor& reads, descriptor& writes, bool we_read) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return false;
  reads = descriptor{ends[0]};
  writes = descriptor{ends[1]};
  const int ours = we_read ? ends[0] : ends[1];
  return ::fcntl(ours, F_SETFL, O_NONBLOCK) == 0;
}

void report(int status, start_step step, int reason) {
  const start_report said{step, reason};
  [[maybe_unused]] const auto written = ::write(status, &said, sizeof said);
}

[[noreturn]] void give_up(int status, start_step step, int reason) {
  report(status, step, reason);
  ::_exit(127);
}

/// Moves the pipes to 0, 1 and 2. First they are copied to higher numbers: one of them may already
/// be 0, 1 or 2 if our own standard streams were closed.
bool place_standard_streams(child_plan& plan) {
  for (int& fd : plan.standard) {
    fd = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (fd < 0)
      return false;
  }
  const int status = ::fcntl(plan.status, F_DUPFD_CLOEXEC, 4);
  if (status < 0)
    return false;
  plan.status = status;
  for (int i = 0; i < 3; ++i)
    if (::dup2(plan.standard[static_cast<size_t>(i)], i) < 0)
      return false;
  return true;
}

/// Closes all other descriptors at once, not only when the program runs. Otherwise a connection
/// that a loop closes meanwhile stays open here: its peer is not told, and libev notices and builds
/// its epoll set again.
void close_the_rest(child_plan& plan) {
  plan.status = ::dup3(plan.status, 3, O_CLOEXEC);
  ::close_range(4, ~0U, 0);
}

[[noreturn]] void become(child_plan plan) {
  for (int signal = 1; signal < NSIG; ++signal)
    ::signal(signal, SIG_DFL);
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // a program may ignore any other
  if (::getppid() != plan.parent)     // the parent died before the line above
    ::_exit(127);
  plan.begun->store(::getpid());
  if (!place_standard_streams(plan))
    give_up(plan.status, start_step::execute, errno);
  close_the_rest(plan);
  if (plan.cwd != nullptr && ::chdir(plan.cwd) != 0)
    give_up(plan.status, start_step::folder, errno);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  restore_descriptor_limit();
  ::execve(plan.file, plan.argv, plan.envp);
  give_up(plan.status, start_step::execute, errno);
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

failure cannot_start(std::string_view program, int reason) {
  return {errc::server_start_failed,
          fmt::format("cannot start '{}': {}", program, std::strerror(reason))};
}

failure open_pipes(const child_command& command, child_pipes& ours, child_pipes& its) {
  if (command.argv.empty() || command.argv.front().empty())
    return {errc::server_start_failed, "cannot start: there is no command"};
  if (open_pipe(its.input, ours.input, false) && open_pipe(ours.output, its.output, true) &&
      open_pipe(ours.errors, its.errors, true) && open_pipe(ours.start, its.start, true))
    return {};
  return cannot_start(command.argv.front(), errno);
}

spawned_child spawn_child(child_command command, std::vector<std::string> environment,
                          const child_pipes& its, std::atomic<pid_t>& begun) {
  int reason = 0;
  const auto file = find_program(command.argv.front(), path_of(environment), reason);
  if (file.empty()) {
    report(its.start.get(), start_step::execute, reason);
    return {};
  }
  const auto argv = pointers(command.argv);
  const auto envp = pointers(environment);
  const child_plan plan{file.c_str(),
                        argv.data(),
                        envp.data(),
                        command.cwd.empty() ? nullptr : command.cwd.c_str(),
                        {its.input.get(), its.output.get(), its.errors.get()},
                        its.start.get(),
                        ::getpid(),
                        &begun};
  // A fork would copy the tables of all our memory, and each page written afterwards.
  const pid_t pid = ::vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  if (pid == 0)
    become(plan);
  watch_group(pid);
  spawned_child made{pid, descriptor{pid < 0 ? -1 : ::pidfd_open(pid, 0)}};
  if (made.exited)
    return made;
  report(its.start.get(), start_step::execute, errno);
  begun = 0;
  kill_group(pid, SIGKILL);
  if (pid > 0)
    ::waitpid(pid, nullptr, 0);
  return {};
}

failure start_failure(const descriptor& start, const child_command& command, bool& known) {
  start_report said{};
  const auto got = ::read(start.get(), &said, sizeof said);
  known = got >= 0;
  if (got != static_cast<ssize_t>(sizeof said))
    return {};
  if (said.step == start_step::folder)
    return {errc::server_start_failed,
            fmt::format("cannot start '{}': folder '{}': {}", command.argv.front(), command.cwd,
                        std::strerror(said.reason))};
  return cannot_start(command.argv.front(), said.reason);
}

} // namespace troupe

#include "tests/support/postgres_server.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace troupe::test {

namespace {

using std::filesystem::copy_options;

constexpr uid_t nobody = 65534;

/// Debian's folder of the newest version; elsewhere the programs are found by PATH.
std::string find_programs() {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& each : std::filesystem::directory_iterator{"/usr/lib/postgresql", none})
    found.push_back(each.path().string() + "/bin/");
  std::sort(found.begin(), found.end());
  return found.empty() ? "" : found.back();
}

/// Becomes the program, as a user that is not root.
[[noreturn]] void become(const std::vector<std::string>& command, const std::string& folder) {
  const int log = ::open((folder + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  if (::geteuid() == 0 && (::setgid(nobody) != 0 || ::setuid(nobody) != 0))
    ::_exit(1);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT); // it ends with a program that crashes, too
  std::vector<char*> arguments;
  for (const auto& each : command)
    arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  ::chdir("/") == 0 ? ::execvp(arguments[0], arguments.data()) : 0;
  ::_exit(1);
}

pid_t spawn(const std::vector<std::string>& command, const std::string& folder) {
  const pid_t made = ::fork();
  if (made == 0)
    become(command, folder);
  return made;
}

/// A new server's data, for all programs of this build: to copy them is much faster than initdb.
std::string pattern_of(std::string programs) {
  std::replace(programs.begin(), programs.end(), '/', '-');
  return TROUPE_TEST_CACHE "/postgres" + programs;
}

void keep_pattern(const std::string& data, const std::string& pattern) {
  const auto mine = pattern + std::to_string(::getpid());
  std::error_code taken; // another program may have been faster
  std::filesystem::copy(data, mine, copy_options::recursive);
  std::filesystem::rename(mine, pattern, taken);
  if (taken)
    std::filesystem::remove_all(mine);
}

void give_to_nobody(const std::string& folder) {
  std::vector<std::filesystem::path> all{folder};
  for (const auto& each : std::filesystem::recursive_directory_iterator{folder})
    all.push_back(each.path());
  for (const auto& each : all)
    if (::geteuid() == 0 && ::chown(each.c_str(), nobody, nobody) != 0)
      throw std::runtime_error{"a file of PostgreSQL cannot be given away: " + each.string()};
}

} // namespace

postgres_server::postgres_server() : programs_{find_programs()} {
  std::string name = "/tmp/troupe-pg-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr)
    throw std::runtime_error{"there is no folder for PostgreSQL in /tmp"};
  folder_ = name;
  make();
}

postgres_server::postgres_server(const std::string& folder)
    : folder_{folder}, programs_{find_programs()} {
  std::filesystem::remove_all(folder_);
  if (::mkdir(folder_.c_str(), 0700) != 0)
    throw std::runtime_error{folder_ + " cannot be made for PostgreSQL"};
  make();
}

void postgres_server::make() {
  give_to_nobody(folder_);
  const auto pattern = pattern_of(programs_);
  if (std::filesystem::exists(pattern)) {
    std::filesystem::copy(pattern, folder_ + "/data", copy_options::recursive);
    give_to_nobody(folder_ + "/data");
  } else {
    make_data();
    keep_pattern(folder_ + "/data", pattern);
  }
  start();
}

void postgres_server::make_data() const {
  const auto made = spawn({programs_ + "initdb", "-D", folder_ + "/data", "-U", "troupe", "-A",
                           "trust", "-E", "UTF8", "--no-locale", "--no-sync"},
                          folder_);
  int status = 0;
  ::waitpid(made, &status, 0);
  if (status != 0)
    throw std::runtime_error{"initdb failed; is the package postgresql there? See " + folder_ +
                             "/log"};
}

postgres_server::~postgres_server() {
  crash();
  std::error_code none;
  std::filesystem::remove_all(folder_, none);
}

void postgres_server::start() {
  process_ = spawn({programs_ + "postgres", "-D", folder_ + "/data", "-k", folder_, "-c",
                    "listen_addresses=", "-c", "fsync=off", "-c", "autovacuum=off"},
                   folder_);
}

void postgres_server::crash() {
  if (process_ > 0) {
    ::kill(process_, SIGQUIT);
    ::waitpid(process_, nullptr, 0);
  }
  process_ = -1;
}

std::string postgres_server::url() const {
  return "postgresql://troupe@/postgres?host=" + folder_;
}

} // namespace troupe::test

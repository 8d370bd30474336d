#include "apps/bench/listening_process.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

namespace troupe::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view listening = "0A"; ///< the state, in include/net/tcp_states.h

/// Returns the inode of the socket that listens on the port, or "".
std::string listener_inode(const char* table, uint16_t port) {
  std::ifstream in{table};
  const auto wanted = fmt::format(":{:04X}", port);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words{line};
    std::string slot, local, remote, state, queues, timer, retransmits, uid, timeout, inode;
    words >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> uid >> timeout >>
        inode;
    if (state == listening && local.ends_with(wanted))
      return inode;
  }
  return {};
}

/// Returns the number that a folder of /proc is called, or 0.
int process_of(const fs::path& folder) {
  const auto name = folder.filename().string();
  int out = 0;
  auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), out);
  return error == std::errc{} && end == name.data() + name.size() ? out : 0;
}

bool holds(const fs::path& folder, const std::string& socket) {
  std::error_code none;
  for (const auto& each : fs::directory_iterator{folder / "fd", none})
    if (fs::read_symlink(each.path(), none) == socket)
      return true;
  return false;
}

/// Returns the parent of a process, or 0.
int parent_of(const fs::path& folder) {
  std::ifstream in{folder / "stat"};
  std::string text{std::istreambuf_iterator<char>{in}, {}};
  const auto name_end = text.rfind(')'); // a name may hold anything, also a ')'
  return name_end == std::string::npos || name_end + 4 >= text.size()
             ? 0
             : std::atoi(text.c_str() + name_end + 4);
}

/// Returns the only child of a process, or 0 if there are none or several.
int only_child(int parent) {
  int found = 0;
  std::error_code none;
  for (const auto& each : fs::directory_iterator{"/proc", none}) {
    const auto process = process_of(each.path());
    if (process == 0 || parent_of(each.path()) != parent)
      continue;
    if (found != 0)
      return 0;
    found = process;
  }
  return found;
}

} // namespace

int listening_process(uint16_t port) {
  if (port == 0)
    return 0;
  auto inode = listener_inode("/proc/net/tcp", port);
  if (inode.empty())
    inode = listener_inode("/proc/net/tcp6", port);
  if (inode.empty())
    return 0;
  const auto socket = fmt::format("socket:[{}]", inode);
  std::error_code none;
  for (const auto& each : fs::directory_iterator{"/proc", none})
    if (const auto process = process_of(each.path()); process != 0 && holds(each.path(), socket))
      return process;
  return 0;
}

int only_descendant() {
  int found = 0;
  for (int next = only_child(::getpid()); next != 0; next = only_child(next))
    found = next;
  return found;
}

} // namespace troupe::bench

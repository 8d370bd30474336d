#include "apps/bench/target/listening_process.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <unistd.h>

namespace troupe::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view listening = "0A"; ///< the state, in include/net/tcp_states.h

constexpr const char* tcp = "/proc/net/tcp";
constexpr const char* tcp6 = "/proc/net/tcp6";

/// Returns an address as in these tables: its 32-bit words in host byte order, in hex.
template <class Address>
std::string in_hex(const Address& address) {
  std::array<uint32_t, sizeof(Address) / 4> words{};
  std::memcpy(words.data(), &address, sizeof address);
  std::string out;
  for (auto each : words)
    out += fmt::format("{:08X}", each);
  return out;
}

/// A place to look for a listener in: which table, and which address in it.
struct place {
  const char* table;
  std::string address;
};

/// Returns the places of listeners that can take connections to an IPv4 address, the most specific
/// first. An IPv6 socket can take them, too, at the mapped address or at any address.
std::vector<place> places_of(in_addr address) {
  in6_addr mapped{};
  mapped.s6_addr[10] = mapped.s6_addr[11] = 0xff;
  std::memcpy(&mapped.s6_addr[12], &address, sizeof address);
  return {{tcp, in_hex(address)},
          {tcp6, in_hex(mapped)},
          {tcp, in_hex(in_addr{})},
          {tcp6, in_hex(in6addr_any)}};
}

std::vector<place> places_of(std::string_view host) {
  in_addr address{};
  if (::inet_pton(AF_INET, std::string{host}.c_str(), &address) == 1)
    return places_of(address);
  std::vector<place> out{{tcp6, in_hex(in6addr_loopback)}, {tcp6, in_hex(in6addr_any)}};
  if (host.starts_with('['))
    return out;
  address.s_addr = htonl(INADDR_LOOPBACK);
  for (auto& each : places_of(address))
    out.push_back(std::move(each));
  return out;
}

/// Returns the inode of the socket that listens there, or "".
std::string listener_inode(const place& where, uint16_t port) {
  std::ifstream in{where.table};
  const auto wanted = fmt::format("{}:{:04X}", where.address, port);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words{line};
    std::string slot, local, remote, state, queues, timer, retransmits, uid, timeout, inode;
    words >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> uid >> timeout >>
        inode;
    if (state == listening && local == wanted)
      return inode;
  }
  return {};
}

/// Returns the process id that is the name of a folder of /proc, or 0.
int process_of(const fs::path& folder) {
  const auto name = folder.filename().string();
  int out = 0;
  auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), out);
  return error == std::errc{} && end == name.data() + name.size() ? out : 0;
}

/// Returns the first path in a folder that is met, or "". A process that ends meanwhile ends its
/// folder.
template <class Condition>
fs::path first_in(const fs::path& folder, Condition met) {
  std::error_code gone;
  for (fs::directory_iterator each{folder, gone}; !gone && each != fs::directory_iterator{};
       each.increment(gone))
    if (met(each->path()))
      return each->path();
  return {};
}

bool holds(const fs::path& folder, const std::string& socket) {
  return !first_in(folder / "fd", [&](const fs::path& each) {
            std::error_code gone;
            return fs::read_symlink(each, gone) == socket;
          }).empty();
}

/// Returns the parent of a process, or 0.
int parent_of(const fs::path& folder) {
  std::ifstream in{folder / "stat"};
  std::string text;
  std::getline(in, text, '\0');          // all of it; nothing if the process has ended since
  const auto name_end = text.rfind(')'); // a name may hold anything, also a ')'
  return name_end == std::string::npos || name_end + 4 >= text.size()
             ? 0
             : std::atoi(text.c_str() + name_end + 4);
}

std::vector<int> children(int parent) {
  std::vector<int> found;
  first_in("/proc", [&](const fs::path& each) {
    const auto process = process_of(each);
    if (process != 0 && parent_of(each) == parent)
      found.push_back(process);
    return false;
  });
  return found;
}

/// Returns the only child of a process, or 0 if there are none or several.
int only_child(int parent) {
  const auto all = children(parent);
  return all.size() == 1 ? all.front() : 0;
}

/// Returns the process that holds the socket, or 0.
int holder_of(const std::string& inode) {
  const auto socket = fmt::format("socket:[{}]", inode);
  return process_of(first_in(
      "/proc", [&](const fs::path& each) { return process_of(each) != 0 && holds(each, socket); }));
}

} // namespace

int listening_process(uint16_t port, std::string_view host) {
  if (port == 0)
    return 0;
  for (const auto& each : places_of(host))
    if (const auto inode = listener_inode(each, port); !inode.empty())
      return holder_of(inode);
  return 0;
}

size_t children_of(int process) {
  return process > 0 ? children(process).size() : 0;
}

int only_descendant() {
  int found = 0;
  for (int next = only_child(::getpid()); next != 0; next = only_child(next))
    found = next;
  return found;
}

} // namespace troupe::bench

#include "transport/sqlite/sqlite_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "transport/sqlite/sqlite_errors.hpp"

namespace troupe {

namespace {

constexpr mode_t folder_mode = 0700;
constexpr mode_t file_mode = 0600;

failure refused(std::string_view doing, std::string_view path, int number) {
  const bool full = number == ENOSPC || number == EDQUOT;
  return {full ? errc::store_full : errc::store_read_only,
          fmt::format("cannot {} {}: {}; {}", doing, path, std::strerror(number),
                      full ? "make room on the disk"
                           : "let this user write there, or choose another folder with --data")};
}

failure make_folder(const std::filesystem::path& path) {
  if (path.empty() || ::mkdir(path.c_str(), folder_mode) == 0)
    return {};
  if (errno == EEXIST && std::filesystem::is_directory(path))
    return {};
  if (errno != ENOENT || !path.has_parent_path() || path.parent_path() == path)
    return refused("make the folder", path.native(), errno);
  if (auto error = make_folder(path.parent_path()))
    return error;
  return ::mkdir(path.c_str(), folder_mode) == 0 || errno == EEXIST
             ? failure{}
             : refused("make the folder", path.native(), errno);
}

/// Returns the process id in the lock file, or "?".
std::string holder(int lock) {
  std::array<char, 16> text{};
  const auto size = ::pread(lock, text.data(), text.size() - 1, 0);
  std::string_view number{text.data(), size > 0 ? static_cast<size_t>(size) : 0};
  number = number.substr(0, number.find('\n'));
  return number.empty() ? "?" : std::string{number};
}

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  const auto size = std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &parts);
  return {text.data(), size};
}

} // namespace

failure sqlite_folder::make() const {
  if (auto error = make_folder(std::filesystem::path{path_}.lexically_normal()))
    return error;
  // An existing database is not opened: the close would drop SQLite's locks of this process.
  const auto name = database();
  if (::faccessat(AT_FDCWD, name.c_str(), W_OK, AT_EACCESS) == 0)
    return {};
  if (errno != ENOENT)
    return refused("write", name, errno);
  // The mode is set here because SQLite would use the umask; its log and index get the file's mode.
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  const descriptor file{::open(name.c_str(), flags, file_mode)};
  return file || errno == EEXIST ? failure{} : refused("write", name, errno);
}

failure sqlite_folder::hold() {
  const auto name = path_ + "/troupe.lock";
  descriptor lock{::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, file_mode)};
  if (!lock)
    return refused("write", name, errno);
  // Tries several times: a process that was just killed, or a key being made, releases the lock
  // soon.
  constexpr int most_tries = 25;
  constexpr std::chrono::milliseconds between{20};
  for (int tries = 0; ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return refused("lock", name, errno);
    if (tries == most_tries)
      return {errc::store_locked,
              fmt::format("process {} uses the data folder {}; end it, or choose another folder "
                          "with --data",
                          holder(lock.get()), path_)};
    std::this_thread::sleep_for(between);
  }
  const auto id = fmt::format("{}\n", ::getpid());
  const bool written =
      ::ftruncate(lock.get(), 0) == 0 && ::pwrite(lock.get(), id.data(), id.size(), 0) > 0;
  static_cast<void>(written); // only a text for people; a full disk shows itself elsewhere
  lock_ = std::move(lock);
  return {};
}

failure sqlite_folder::set_aside(std::string& as) const {
  const auto from = database();
  const auto stem = fmt::format("{}.damaged-{}", from, now_text());
  as = stem;
  for (int more = 2; std::filesystem::exists(as); ++more)
    as = fmt::format("{}-{}", stem, more);
  // The log first: without its database it cannot harm a new database of that name.
  for (std::string_view part : {"-wal", "-shm", ""}) {
    const auto old_name = fmt::format("{}{}", from, part);
    const auto new_name = fmt::format("{}{}", as, part);
    if (::rename(old_name.c_str(), new_name.c_str()) != 0 && errno != ENOENT)
      return refused("rename", old_name, errno);
  }
  return {};
}

} // namespace troupe

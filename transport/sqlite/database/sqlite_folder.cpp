#include "transport/sqlite/database/sqlite_folder.hpp"

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

#include "messages/private_files.hpp"
#include "transport/sqlite/database/sqlite_errors.hpp"

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

file_rights rights_of(const struct stat& about) {
  return {about.st_uid, about.st_mode, about.st_nlink};
}

failure fault(std::string text) {
  return text.empty() ? failure{} : failure{errc::store_failed, std::move(text)};
}

/// A link to a folder is followed if no other user can have made it.
failure check_folder(const std::string& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0)
    return refused("look at", path, errno);
  const auto user = ::geteuid();
  if (S_ISLNK(about.st_mode) && about.st_uid != user && about.st_uid != 0)
    return fault(fmt::format("{} is a link of user {}; name the folder itself with --data", path,
                             about.st_uid));
  if (::stat(path.c_str(), &about) != 0)
    return refused("look at", path, errno);
  return fault(folder_fault(path, rights_of(about), user));
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
  if (auto error = check_folder(path_))
    return error;
  // An existing database is not opened: the close would drop SQLite's locks of this process.
  const auto name = database();
  if (::faccessat(AT_FDCWD, name.c_str(), W_OK, AT_EACCESS) == 0)
    return {};
  if (errno != ENOENT)
    return refused("write", name, errno);
  // The last process ended between set_aside() and use_fresh(): what it saved is whole.
  if (::rename(fresh().c_str(), name.c_str()) == 0)
    return {};
  // The mode is set here because SQLite would use the umask; its log and index get the file's mode.
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  const descriptor file{::open(name.c_str(), flags, file_mode)};
  return file || errno == EEXIST ? failure{} : refused("write", name, errno);
}

/// Looks only: the close of an opened database would drop SQLite's locks of this process.
failure sqlite_folder::secure(std::string& notice) const {
  for (std::string_view part : {"/troupe.db", "/troupe.db-wal", "/troupe.db-shm",
                                "/troupe.db-journal", "/troupe.db.suspect", "/troupe.lock"}) {
    const auto name = fmt::format("{}{}", path_, part);
    struct stat about {};
    if (::lstat(name.c_str(), &about) != 0)
      continue;
    const auto rights = rights_of(about);
    if (auto error = fault(file_fault(name, rights, ::geteuid())))
      return error;
    if (!is_open_to_others(rights))
      continue;
    const bool repaired = ::chmod(name.c_str(), file_mode) == 0;
    notice += fmt::format("{}others could read or change {} (mode {}){}",
                          notice.empty() ? "" : "; ", name, mode_text(rights.mode),
                          repaired ? "; its mode is 0600 now" : "; run chmod 600 on it");
  }
  return {};
}

failure sqlite_folder::hold() {
  const auto name = path_ + "/troupe.lock";
  constexpr int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  descriptor lock{::open(name.c_str(), flags, file_mode)};
  struct stat about {};
  if (!lock || ::fstat(lock.get(), &about) != 0)
    return refused("write", name, errno);
  if (auto error = fault(file_fault(name, rights_of(about), ::geteuid())))
    return error; // it is about to be overwritten
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

failure sqlite_folder::make_fresh() const {
  for (std::string_view part : {"-wal", "-shm", ""})
    ::unlink(fmt::format("{}{}", fresh(), part).c_str());
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  const descriptor file{::open(fresh().c_str(), flags, file_mode)};
  return file ? failure{} : refused("write", fresh(), errno);
}

failure sqlite_folder::use_fresh() const {
  if (::rename(fresh().c_str(), database().c_str()) != 0)
    return refused("rename", fresh(), errno);
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

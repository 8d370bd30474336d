#include "transport/sqlite/database/sqlite_errors.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace troupe {

namespace {

std::string_view remedy(errc code) {
  switch (code) {
  case errc::store_full:
    return "make room on the disk; it goes on by itself";
  case errc::store_read_only:
    return "let this user write there, or choose another folder with --data";
  case errc::store_locked:
    return "end the other program that uses this database";
  case errc::store_damaged:
    return "restart to have it checked; a damaged file is set aside, never overwritten";
  case errc::store_timeout:
    return "ask for less, or again when there is less to do";
  default:
    return "see whether the disk is in order";
  }
}

/// Returns whether the errno decides the error code.
bool tells_reason(int number) {
  return number == ENOSPC || number == EDQUOT || number == EROFS || number == EACCES ||
         number == EPERM;
}

} // namespace

errc store_error(int result, int system_errno) {
  if (system_errno == ENOSPC || system_errno == EDQUOT)
    return errc::store_full;
  constexpr int primary = 0xff; // the primary code is the low byte of an extended one
  switch (result & primary) {
  case SQLITE_FULL:
    return errc::store_full;
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
    return errc::store_read_only;
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return errc::store_locked;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    return errc::store_damaged;
  case SQLITE_INTERRUPT: // only deadlines interrupt
    return errc::store_timeout;
  case SQLITE_IOERR:
    return system_errno == EROFS || system_errno == EACCES || system_errno == EPERM
               ? errc::store_read_only
               : errc::store_failed;
  default:
    return errc::store_failed;
  }
}

failure sqlite_failure(sqlite3* handle, std::string_view doing, std::string_view path,
                       int system_errno) {
  if (handle == nullptr)
    return {errc::store_failed, fmt::format("cannot {} in {}: out of memory", doing, path)};
  const int result = sqlite3_extended_errcode(handle);
  const int primary = result & 0xff;
  // SQLite keeps the errno of the last failed system call, however old, and does not keep it for a
  // COMMIT. errno itself may also come from a call after the failure.
  const bool by_system = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN;
  int number = by_system ? sqlite3_system_errno(handle) : 0;
  if (by_system && tells_reason(system_errno))
    number = system_errno;
  const auto code = store_error(result, number);
  auto said = fmt::format("{}", sqlite3_errmsg(handle));
  if (number != 0)
    said += fmt::format(" ({})", std::strerror(number));
  return {code, fmt::format("cannot {} in {}: {}; {}", doing, path, said, remedy(code))};
}

} // namespace troupe

// Which folders and files a process trusts with what others must neither read nor change.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Whose a file or folder is, and who may use it: members of `struct stat`.
struct file_rights {
  uint32_t owner = 0; ///< st_uid
  uint32_t mode = 0;  ///< st_mode
  uint64_t links = 1; ///< st_nlink
};

/// Returns why a process of `user` must keep nothing in a folder, and what to do; "" if it may.
/// The folder must be the user's own, and nobody else may write in it: who can write in a folder
/// can put links and files of their own in place of ours.
std::string folder_fault(std::string_view path, const file_rights& rights, uint32_t user);

/// Returns why a process of `user` must not use a file, and what to do; "" if it may. It must be a
/// regular file, the user's own, and have no other name: a link could lead to any file of the user.
/// @param rights of the file itself, not of what a link leads to
std::string file_fault(std::string_view path, const file_rights& rights, uint32_t user);

/// Returns whether others than the owner may read or write it.
bool is_open_to_others(const file_rights& rights);

/// Returns a mode as people write it: "0644".
std::string mode_text(uint32_t mode);

} // namespace troupe

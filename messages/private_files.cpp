#include "messages/private_files.hpp"

#include <sys/stat.h>

#include <fmt/format.h>

namespace troupe {

std::string folder_fault(std::string_view path, const file_rights& rights, uint32_t user) {
  const auto mode = mode_text(rights.mode);
  const bool others_write = (rights.mode & (S_IWGRP | S_IWOTH)) != 0;
  if (others_write && (rights.mode & S_ISVTX) != 0)
    return fmt::format("the folder {} is shared with others (mode {}); choose a folder of its own, "
                       "as {}/troupe",
                       path, mode, path);
  if (rights.owner != user)
    return fmt::format("the folder {} belongs to user {}, but this process runs as user {}; give "
                       "it to that user (chown {} {}), or run as its owner",
                       path, rights.owner, user, user, path);
  if (others_write)
    return fmt::format("others may write in the folder {} (mode {}); see that all files in it are "
                       "yours, and take that right away with: chmod go-w {}",
                       path, mode, path);
  return {};
}

std::string file_fault(std::string_view path, const file_rights& rights, uint32_t user) {
  if (S_ISLNK(rights.mode))
    return fmt::format("{} is a link; remove it, or put the file itself there", path);
  if (!S_ISREG(rights.mode))
    return fmt::format("{} is not a regular file; remove it", path);
  if (rights.owner != user)
    return fmt::format("{} belongs to user {}, but this process runs as user {}; if you trust what "
                       "is in it, give it to that user (chown {} {}), else remove it",
                       path, rights.owner, user, user, path);
  if (rights.links > 1)
    return fmt::format("{} has {} names (hard links); put a copy in its place", path, rights.links);
  return {};
}

bool is_open_to_others(const file_rights& rights) {
  return (rights.mode & (S_IRWXG | S_IRWXO)) != 0;
}

std::string mode_text(uint32_t mode) {
  constexpr uint32_t permissions = 07777;
  return fmt::format("{:04o}", mode & permissions);
}

} // namespace troupe

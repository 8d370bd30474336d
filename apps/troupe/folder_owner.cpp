#include "apps/troupe/folder_owner.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "transport/dump_protection.hpp"

namespace troupe {

namespace {

/// Takes the groups of a user that the system knows; of any other the folder's group alone.
bool take_groups(const passwd* known, gid_t of_folder) {
  if (known != nullptr)
    return ::initgroups(known->pw_name, known->pw_gid) == 0 &&
           ::setresgid(known->pw_gid, known->pw_gid, known->pw_gid) == 0;
  return ::setgroups(1, &of_folder) == 0 && ::setresgid(of_folder, of_folder, of_folder) == 0;
}

/// Programs that are started must not look for their files in root's home.
void set_home(const passwd* known) {
  ::setenv("HOME", known == nullptr ? "/" : known->pw_dir, 1);
  for (const char* name : {"USER", "LOGNAME"})
    if (known == nullptr)
      ::unsetenv(name);
    else
      ::setenv(name, known->pw_name, 1);
}

} // namespace

bool should_become_owner(std::string_view folder, const file_rights& rights, uint32_t user) {
  return user == 0 && rights.owner != 0 && S_ISDIR(rights.mode) &&
         folder_fault(folder, rights, rights.owner).empty();
}

failure become_owner_of(const std::string& folder, std::string& told) {
  struct stat about {};
  if (::geteuid() != 0 || folder.empty() || ::stat(folder.c_str(), &about) != 0 ||
      !should_become_owner(folder, {about.st_uid, about.st_mode}, 0))
    return {};
  const auto user = about.st_uid;
  const passwd* known = ::getpwuid(user);
  // The groups first: afterwards they cannot be changed any more.
  if (!take_groups(known, about.st_gid) || ::setresuid(user, user, user) != 0)
    return {errc::store_failed,
            fmt::format("the data folder {} belongs to user {}, and this process of root may not "
                        "become that user ({}); start it as its owner, or give it to root (chown 0 "
                        "{})",
                        folder, user, std::strerror(errno), folder)};
  protect_from_dumps();
  set_home(known);
  told = fmt::format("started as root; runs as user {}, to whom the data folder {} belongs", user,
                     folder);
  return {};
}

failure become_owner_of(engine_config& config, std::string& told) {
  const bool is_default = config.tool_output_folder == default_tool_output_folder();
  auto error = become_owner_of(config.store.folder, told);
  if (is_default)
    config.tool_output_folder = default_tool_output_folder();
  return error;
}

} // namespace troupe

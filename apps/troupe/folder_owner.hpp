// As which user a command of root works in a data folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apps/engine/config.hpp"
#include "messages/errors.hpp"
#include "messages/private_files.hpp"

namespace troupe {

/// Returns whether root is to become the owner of a folder: it belongs to somebody else, who could
/// use it safely. @param user the effective one of the process
bool should_become_owner(std::string_view folder, const file_rights& rights, uint32_t user);

/// A process of root takes the user and the groups of the owner of an existing data folder, for
/// good, and HOME as it is for that user. It keeps root's rights where the folder is root's own, is
/// not there yet, or is one that nobody should use. A process of any other user stays as it is.
/// For the main thread, before any other one exists.
/// @param told set to a sentence for the operator if the process runs as somebody else now
/// @return store_failed if the process may not become that user
failure become_owner_of(const std::string& folder, std::string& told);

/// The same for the folder of a configuration, whose default folder for tool output follows.
failure become_owner_of(engine_config& config, std::string& told);

} // namespace troupe

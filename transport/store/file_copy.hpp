// Uploaded files on their way into another store.
#pragma once

#include "messages/store/file_shelf.hpp"

namespace troupe {

/// Copies all files that the target does not have, one after the other, with the chats that use
/// them. Blocks. @param count how many were copied, also after a failure
failure copy_files(file_shelf& from, file_shelf& to, uint64_t& count);

/// Removes files of the target that the source does not have any more: an earlier copy brought
/// them.
failure remove_gone_files(file_shelf& from, file_shelf& to);

} // namespace troupe

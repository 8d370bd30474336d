// Keys that move and delete by what is seen as one character.
#pragma once

#include <cstddef>

struct editline; ///< libedit's

namespace troupe {

/// Where a deletion began. libedit's EL_CLIENTDATA is one of these, while its keys are in use.
struct noted_cursor {
  size_t at = 0; ///< characters of the line
};

/// Gives libedit's keys for a character and for a word another meaning in emacs' map: they cut an
/// emoji of several parts, and a letter from its accent. Before the person's own settings are read.
void bind_seen_keys(editline* edit);

} // namespace troupe

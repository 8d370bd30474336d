// Where commands keep their data unless they are told otherwise.
#pragma once

#include <string>

namespace troupe {

/// Returns $XDG_DATA_HOME/troupe, else $HOME/.local/share/troupe; "" where neither variable is set,
/// and then nothing is kept.
std::string default_data_folder();

} // namespace troupe

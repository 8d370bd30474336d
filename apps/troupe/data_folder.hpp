// Where commands keep their data unless they are told otherwise.
#pragma once

#include <string>

namespace troupe {

/// Returns $XDG_DATA_HOME/troupe, else $HOME/.local/share/troupe; "" where neither variable is set,
/// and then nothing is kept.
std::string default_data_folder();

/// Returns $XDG_STATE_HOME/troupe, else $HOME/.local/state/troupe; "" where neither variable is
/// set. What is there may be lost without harm.
std::string default_state_folder();

} // namespace troupe

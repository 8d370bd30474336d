// `${NAME}` and its relatives in the strings of a configuration.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// A string with its variables replaced.
struct expansion {
  std::string text;
  std::string lacking; ///< what is wrong with the first variable without a value; "" = nothing
};

/// Replaces variables by what the environment says:
///
///     ${NAME} ${env:NAME}             NAME, which must be set
///     ${NAME:-other}                  the same; `other` if NAME is not set or empty
///     ${userHome} ${pathSeparator}    as editors have them, where the environment has no such name
///     ${workspaceFolder} ${cwd}       the folder in which the program was started
///
/// `other` may hold variables. A "${" without its '}' is text. No value is in `lacking`.
expansion expand_variables(std::string_view text);

} // namespace troupe

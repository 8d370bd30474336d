// Files of NAME=VALUE lines, as `envFile` names them.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace troupe {

/// Reads NAME=VALUE lines. Empty lines, lines that begin with '#' and the word `export` in front of
/// a name are passed over. A value in "double quotes" may hold \n, \r, \t, \\ and \"; one in
/// 'single quotes' is as it stands; any other ends at the line's end or at " #", without blanks
/// around it.
/// @return what is wrong, without a value ("has no NAME=VALUE in line 3"), or ""
std::string parse_env_file(std::string_view text, std::map<std::string, std::string>& out);

/// Reads a file of at most 1 MiB. @return what is wrong, without a value, or ""
std::string read_env_file(const std::string& path, std::map<std::string, std::string>& out);

} // namespace troupe

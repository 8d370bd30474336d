// YAML as the tree of a JSON text.
#pragma once

#include <string>
#include <string_view>

#include "messages/wire/json/json_tree.hpp"

namespace troupe {

/// Reads the first document of a YAML text. Plain scalars are null, booleans and numbers where JSON
/// would take them for such (YAML 1.2), else strings. Anchors, aliases and merge keys (`<<`) are
/// followed, up to 100,000 values and 64 levels.
/// @return what is wrong with its place ("line 3, column 5: ..."), or ""
std::string read_yaml_tree(std::string_view text, json_node& out);

} // namespace troupe

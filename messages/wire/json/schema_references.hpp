// References within a JSON Schema: "#", "#/$defs/node".
#pragma once

#include <string_view>

#include "messages/wire/json/json_tree.hpp"

namespace troupe {

/// Returns where the reference leads; nullptr for another document, an anchor, or nowhere.
const json_node* schema_target(const json_node& root, std::string_view reference);

/// Removes each `$ref` of the form "#/..." that leads nowhere, so that its schema takes anything.
/// Returns whether there was one.
bool remove_lost_references(json_node& root);

} // namespace troupe

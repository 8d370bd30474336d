// The variables of other programs, said in ours.
#pragma once

#include <string>
#include <vector>

#include "messages/wire/json/json_tree.hpp"

namespace troupe {

/// Replaces, in all strings below `value`, the variables that other programs have and we do not:
///
///     ${input:api-key}     VS Code asks for it   ${API_KEY}, with the default in `inputs`
///     {env:NAME}           OpenCode              ${NAME}
///     ${{ secrets.NAME }}  Continue              ${NAME}
///     $NAME, as all of it  Gemini                ${NAME}
///     {{NAME}}             LibreChat             ${NAME}, if NAME is in `own_names`
///
/// @param inputs VS Code's array; nullptr: none
/// @param own_names of LibreChat's `customUserVars`
/// @param notes told of each variable once: "..., set API_KEY in the environment"
void translate_variables(json_node& value, const json_node* inputs,
                         const std::vector<std::string>& own_names,
                         std::vector<std::string>& notes);

} // namespace troupe

// JSON Schema brought down to the subset that Gemini's `parameters` and `responseSchema` take.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns the schema without what would be refused: references are written out, alternatives
/// become anyOf, null becomes `nullable`, const an enum of one; what has no place is told in the
/// description, or left out. What matches the given schema matches the reduced one, as far as the
/// subset can say it; arguments are still checked with the given one.
/// @param schema JSON text of an object, as repair_tool_schema() leaves it
/// @return "" for an object without properties, which has no form of its own. Any thread.
std::string reduced_gemini_schema(std::string_view schema);

} // namespace troupe

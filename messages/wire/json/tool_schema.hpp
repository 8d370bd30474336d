// The schemas of tools, as strict model servers take them.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// The result of repair_tool_schema().
struct tool_schema {
  std::string repaired; ///< the schema to send instead; "": the one that was given is right
  std::string fault;    ///< set: it cannot be used, as it "is of type \"string\", not \"object\""
};

/// Repairs what servers refuse. Model servers check all schemas of a request, and one that they
/// refuse ends every turn that has the tool. Afterwards the type is "object", `properties` is an
/// object, at the top no anyOf, oneOf, allOf, enum or not is left (their properties are merged),
/// and at every depth each keyword has a value of its kind, arrays have `items`, and references
/// within the schema lead somewhere. Values of enum, const, default and examples are not touched.
/// The repaired schema takes all that the given one takes. A schema that is right stays byte for
/// byte.
/// @param schema JSON text; "", null and true stand for any object. Any thread.
tool_schema repair_tool_schema(std::string_view schema);

} // namespace troupe

// Validation of JSON values against JSON Schema 2020-12: the keywords that tools use.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns "" if `value` matches, else the fault with its JSON pointer. Checked: type, enum, const,
/// properties, required, additionalProperties, minProperties, maxProperties, propertyNames,
/// dependentRequired, items, prefixItems, contains, minContains, maxContains, minItems, maxItems,
/// uniqueItems, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength,
/// maxLength, allOf, anyOf, oneOf, not, if/then/else, boolean schemas, and $ref to the same
/// document ("#", "#/$defs/..", "#anchor"). Other keywords (pattern, format, unevaluated*,
/// references to other documents) count as matching; nothing is ever fetched. Depth and work are
/// bounded: beyond the bounds the value counts as matching.
/// @param schema, value valid JSON texts
std::string schema_mismatch(std::string_view schema, std::string_view value);

} // namespace troupe

#include <algorithm>

#include "messages/wire/json/json_schema_check.hpp"

namespace troupe {

/// THE list of rules. Keywords without a row say nothing about the value.
const schema_check::row schema_check::rows[] = {
    {"type", &schema_check::type},
    {"properties", &schema_check::properties},
    {"required", &schema_check::required},
    {"additionalProperties", &schema_check::additional},
    {"items", &schema_check::items},
    {"enum", &schema_check::enumeration},
    {"const", &schema_check::constant},
    {"$ref", &schema_check::reference},
    {"minimum", &schema_check::bound},
    {"maximum", &schema_check::bound},
    {"exclusiveMinimum", &schema_check::bound},
    {"exclusiveMaximum", &schema_check::bound},
    {"multipleOf", &schema_check::multiple_of},
    {"minLength", &schema_check::bound},
    {"maxLength", &schema_check::bound},
    {"minItems", &schema_check::bound},
    {"maxItems", &schema_check::bound},
    {"minProperties", &schema_check::bound},
    {"maxProperties", &schema_check::bound},
    {"uniqueItems", &schema_check::unique},
    {"prefixItems", &schema_check::prefix_items},
    {"contains", &schema_check::contains},
    {"propertyNames", &schema_check::names},
    {"dependentRequired", &schema_check::dependent},
    {"allOf", &schema_check::all_of},
    {"anyOf", &schema_check::any_of},
    {"oneOf", &schema_check::one_of},
    {"not", &schema_check::negation},
    {"if", &schema_check::condition},
    {"pattern", &schema_check::unread_of_string},
    {"patternProperties", &schema_check::unread_of_object},
    {"unevaluatedProperties", &schema_check::unread_of_object},
    {"dependentSchemas", &schema_check::unread_of_object},
    {"dependencies", &schema_check::unread_of_object},
    {"unevaluatedItems", &schema_check::unread_of_array},
    {"additionalItems", &schema_check::unread_of_array},
    {"$dynamicRef", &schema_check::unread},
    {"$recursiveRef", &schema_check::unread},
};

const schema_check::row* schema_check::find_row(std::string_view keyword) {
  const auto* found = std::find_if(std::begin(rows), std::end(rows),
                                   [keyword](const row& each) { return each.keyword == keyword; });
  return found == std::end(rows) ? nullptr : found;
}

verdict schema_check::properties(const operands& in) {
  auto found = verdict::yes;
  if (in.value.kind != json_kind::object)
    return found;
  for (const auto& each : in.keyword.children) {
    if (const auto* property = member(in.value, each.key))
      found = std::min(found, check_at({&each.key, 0}, each, *property));
    if (left_ == 0)
      found = std::min(found, verdict::unknown);
    if (found == verdict::no)
      break;
  }
  return found;
}

verdict schema_check::additional(const operands& in) {
  auto found = verdict::yes;
  if (in.value.kind != json_kind::object)
    return found;
  // A member that matches a pattern is not an additional one, and patterns are not evaluated.
  if (const auto* patterns = in.schema.find("patternProperties");
      patterns && !patterns->children.empty())
    return verdict::unknown;
  const auto* known = in.schema.find("properties");
  for (const auto& each : in.value.children) {
    auto is_known = known && member(*known, each.key);
    if (left_ == 0)
      return verdict::unknown;
    if (!is_known)
      found = std::min(found, check_at({&each.key, 0}, in.keyword, each));
    if (found == verdict::no)
      break;
  }
  return found;
}

verdict schema_check::names(const operands& in) {
  auto found = verdict::yes;
  if (in.value.kind != json_kind::object)
    return found;
  for (const auto& each : in.value.children) {
    found = std::min(found, try_out(in.keyword, make_string_node(each.key)));
    if (found == verdict::no)
      return fail(" must not have the name \"{}\"", each.key);
  }
  return found;
}

verdict schema_check::items(const operands& in) {
  // In drafts before 2020-12 an array here had the meaning of prefixItems.
  if (in.keyword.kind == json_kind::array)
    return prefix_items(in);
  auto found = verdict::yes;
  if (in.value.kind != json_kind::array)
    return found;
  const auto* prefix = in.schema.find("prefixItems");
  for (size_t i = prefix ? prefix->children.size() : 0; i < in.value.children.size(); ++i) {
    found = std::min(found, check_at({nullptr, i}, in.keyword, in.value.children[i]));
    if (found == verdict::no)
      break;
  }
  return found;
}

verdict schema_check::prefix_items(const operands& in) {
  auto found = verdict::yes;
  if (in.value.kind != json_kind::array || in.keyword.kind != json_kind::array)
    return found;
  auto count = std::min(in.keyword.children.size(), in.value.children.size());
  for (size_t i = 0; i < count && found != verdict::no; ++i)
    found = std::min(found, check_at({nullptr, i}, in.keyword.children[i], in.value.children[i]));
  return found;
}

verdict schema_check::contains(const operands& in) {
  if (in.value.kind != json_kind::array)
    return verdict::yes;
  size_t matching = 0;
  size_t undecided = 0;
  for (const auto& each : in.value.children) {
    auto found = try_out(in.keyword, each);
    matching += found == verdict::yes ? 1 : 0;
    undecided += found == verdict::unknown ? 1 : 0;
  }
  auto limit = [&in](const char* name, long double absent) {
    const auto* given = in.schema.find(name);
    return given && given->kind == json_kind::number ? wide_number(*given) : absent;
  };
  auto least = limit("minContains", 1);
  auto most = limit("maxContains", INFINITY);
  if (static_cast<long double>(matching + undecided) < least)
    return fail(" has too few elements that match its contains");
  if (static_cast<long double>(matching) > most)
    return fail(" has too many elements that match its contains");
  return undecided > 0 ? verdict::unknown : verdict::yes;
}

verdict schema_check::all_of(const operands& in) {
  auto found = verdict::yes;
  for (const auto& each : in.keyword.children) {
    found = std::min(found, check(each, in.value));
    if (found == verdict::no)
      break;
  }
  return found;
}

verdict schema_check::any_of(const operands& in) {
  auto found = verdict::no;
  for (const auto& each : in.keyword.children) {
    found = std::max(found, try_out(each, in.value));
    if (found == verdict::yes)
      return found;
  }
  return found == verdict::no ? fail(" matches nothing of its anyOf") : found;
}

verdict schema_check::one_of(const operands& in) {
  size_t matching = 0;
  size_t undecided = 0;
  for (const auto& each : in.keyword.children) {
    auto found = try_out(each, in.value);
    matching += found == verdict::yes ? 1 : 0;
    undecided += found == verdict::unknown ? 1 : 0;
  }
  if (matching > 1)
    return fail(" matches more than one of its oneOf");
  if (matching + undecided == 0)
    return fail(" matches nothing of its oneOf");
  return undecided > 0 ? verdict::unknown : verdict::yes;
}

verdict schema_check::negation(const operands& in) {
  auto found = try_out(in.keyword, in.value);
  if (found == verdict::yes)
    return fail(" must not match its not");
  return found == verdict::no ? verdict::yes : found;
}

verdict schema_check::condition(const operands& in) {
  const auto* then = in.schema.find("then");
  const auto* otherwise = in.schema.find("else");
  switch (try_out(in.keyword, in.value)) {
  case verdict::yes:
    return then ? check(*then, in.value) : verdict::yes;
  case verdict::no:
    return otherwise ? check(*otherwise, in.value) : verdict::yes;
  case verdict::unknown:
    break;
  }
  auto may_match = [&](const json_node* part) {
    return !part || try_out(*part, in.value) != verdict::no;
  };
  return may_match(then) || may_match(otherwise) ? verdict::unknown
                                                 : fail(" matches neither its then nor its else");
}

} // namespace troupe

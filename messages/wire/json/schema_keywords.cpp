#include "messages/wire/json/schema_keywords.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "messages/wire/json/schema_types.hpp"

namespace troupe {

namespace {

enum class shape : uint8_t { schema, schema_list, schema_map, text, number, flag, list };

struct keyword {
  std::string_view name;
  shape what;
};

constexpr auto keywords = std::to_array<keyword>({
    {"$anchor", shape::text},
    {"$comment", shape::text},
    {"$defs", shape::schema_map},
    {"$id", shape::text},
    {"$ref", shape::text},
    {"$schema", shape::text},
    {"additionalItems", shape::schema},
    {"additionalProperties", shape::schema},
    {"allOf", shape::schema_list},
    {"anyOf", shape::schema_list},
    {"contains", shape::schema},
    {"definitions", shape::schema_map},
    {"dependentSchemas", shape::schema_map},
    {"deprecated", shape::flag},
    {"description", shape::text},
    {"else", shape::schema},
    {"enum", shape::list},
    {"examples", shape::list},
    {"exclusiveMaximum", shape::number},
    {"exclusiveMinimum", shape::number},
    {"format", shape::text},
    {"if", shape::schema},
    {"items", shape::schema},
    {"maxItems", shape::number},
    {"maxLength", shape::number},
    {"maxProperties", shape::number},
    {"maximum", shape::number},
    {"minItems", shape::number},
    {"minLength", shape::number},
    {"minProperties", shape::number},
    {"minimum", shape::number},
    {"multipleOf", shape::number},
    {"not", shape::schema},
    {"oneOf", shape::schema_list},
    {"pattern", shape::text},
    {"patternProperties", shape::schema_map},
    {"prefixItems", shape::schema_list},
    {"properties", shape::schema_map},
    {"propertyNames", shape::schema},
    {"readOnly", shape::flag},
    {"then", shape::schema},
    {"title", shape::text},
    {"unevaluatedItems", shape::schema},
    {"unevaluatedProperties", shape::schema},
    {"uniqueItems", shape::flag},
    {"writeOnly", shape::flag},
});

const keyword* find_keyword(std::string_view name) {
  auto at = std::find_if(keywords.begin(), keywords.end(),
                         [name](const keyword& each) { return each.name == name; });
  return at == keywords.end() ? nullptr : &*at;
}

/// Repairs one schema; schema_visitor walks through all of them.
class keyword_repair : public schema_visitor {
public:
  void visit(json_node& schema) override;
  bool changed() const noexcept { return changed_; }

private:
  void make(json_node& node, json_kind kind) {
    auto key = std::move(node.key);
    node = empty_node(kind);
    node.key = std::move(key);
    changed_ = true;
  }

  void not_an_object(json_node& schema);
  void members(json_node& schema);
  /// The next four return whether the member stays.
  bool keeps(json_node& member);
  bool keeps_kind(json_node& member, const keyword& known);
  bool keeps_type(json_node& type);
  bool keeps_required(json_node& required);
  void bounds(json_node& schema, std::string_view exclusive, std::string_view inclusive);
  void tuples(json_node& schema);
  void items(json_node& schema);
  void required_properties(json_node& schema);

  bool changed_ = false;
};

/// A property may be a type's name; PHP writes an empty object as [].
void keyword_repair::not_an_object(json_node& schema) {
  if (schema.kind == json_kind::boolean || schema.kind == json_kind::object)
    return;
  auto type = schema.kind == json_kind::string ? schema_type(schema.text) : std::string_view{};
  make(schema, json_kind::object);
  if (!type.empty())
    set_member(schema, "type", make_string_node(std::string{type}));
}

void keyword_repair::visit(json_node& schema) {
  not_an_object(schema);
  if (schema.kind != json_kind::object)
    return;
  bounds(schema, "exclusiveMinimum", "minimum");
  bounds(schema, "exclusiveMaximum", "maximum");
  required_properties(schema);
  tuples(schema);
  members(schema);
  items(schema);
}

void keyword_repair::members(json_node& schema) {
  std::vector<json_node> kept;
  for (auto& each : schema.children)
    if (keeps(each))
      kept.push_back(std::move(each));
  changed_ = changed_ || kept.size() != schema.children.size();
  schema.children = std::move(kept);
}

bool keyword_repair::keeps(json_node& member) {
  if (member.key == "type")
    return keeps_type(member);
  if (member.key == "required")
    return keeps_required(member);
  const auto* known = find_keyword(member.key);
  return known == nullptr || keeps_kind(member, *known);
}

bool keyword_repair::keeps_kind(json_node& member, const keyword& known) {
  auto is = [&](json_kind kind) { return member.kind == kind; };
  switch (known.what) {
  case shape::schema:
    return !is(json_kind::null); // the walk comes to the others
  case shape::schema_list:
    if (is(json_kind::object) && !member.children.empty()) {
      auto only = member;
      only.key.clear();
      make(member, json_kind::array);
      member.children.push_back(std::move(only));
    }
    return is(json_kind::array) && !member.children.empty();
  case shape::schema_map:
    if (!is(json_kind::object))
      make(member, json_kind::object);
    return true;
  case shape::text:
    return is(json_kind::string);
  case shape::number:
    return is(json_kind::number);
  case shape::flag:
    return is(json_kind::boolean);
  case shape::list:
    return is(json_kind::array) && (known.name != "enum" || !member.children.empty());
  }
  return true;
}

bool keyword_repair::keeps_type(json_node& type) {
  auto right = [this](json_node& name) {
    auto meant = name.kind == json_kind::string ? schema_type(name.text) : std::string_view{};
    changed_ = changed_ || meant != name.text;
    name.text = meant;
    return !meant.empty();
  };
  if (type.kind != json_kind::array)
    return type.kind == json_kind::string && right(type);
  std::vector<json_node> kept;
  for (auto& each : type.children)
    if (right(each) && std::none_of(kept.begin(), kept.end(),
                                    [&](const auto& other) { return other.text == each.text; }))
      kept.push_back(std::move(each));
  changed_ = changed_ || kept.size() != type.children.size();
  type.children = std::move(kept);
  return !type.children.empty();
}

bool keyword_repair::keeps_required(json_node& required) {
  if (required.kind == json_kind::string) {
    auto name = make_string_node(required.text);
    make(required, json_kind::array);
    required.children.push_back(std::move(name));
  }
  if (required.kind != json_kind::array)
    return false;
  std::vector<json_node> kept;
  for (auto& each : required.children)
    if (each.kind == json_kind::string &&
        std::none_of(kept.begin(), kept.end(),
                     [&](const auto& other) { return other.text == each.text; }))
      kept.push_back(std::move(each));
  changed_ = changed_ || kept.size() != required.children.size();
  required.children = std::move(kept);
  return true;
}

/// Draft 4 has a flag that makes `minimum` an exclusive bound.
void keyword_repair::bounds(json_node& schema, std::string_view exclusive,
                            std::string_view inclusive) {
  auto* flag = member_of(schema, exclusive);
  if (flag == nullptr || flag->kind != json_kind::boolean)
    return;
  changed_ = true;
  auto* bound = member_of(schema, inclusive);
  if (flag->is(true) && bound != nullptr && bound->kind == json_kind::number) {
    set_member(schema, exclusive, *bound);
    remove_member(schema, inclusive);
  } else {
    remove_member(schema, exclusive);
  }
}

/// Draft 3 says `"required": true` in the property itself.
void keyword_repair::required_properties(json_node& schema) {
  auto* properties = member_of(schema, "properties");
  if (properties == nullptr || properties->kind != json_kind::object)
    return;
  std::vector<std::string> names;
  for (auto& each : properties->children)
    if (auto* flag = member_of(each, "required"); flag != nullptr && flag->is(true))
      names.push_back(each.key);
  auto* required = member_of(schema, "required");
  if (names.empty() || (required != nullptr && required->kind == json_kind::array))
    return; // the flags themselves are of the wrong kind, and go
  auto list = empty_node(json_kind::array);
  for (auto& each : names)
    list.children.push_back(make_string_node(std::move(each)));
  set_member(schema, "required", std::move(list));
  changed_ = true;
}

/// Until 2019 `items` could be a list of schemas, one for each place.
void keyword_repair::tuples(json_node& schema) {
  auto* items = member_of(schema, "items");
  if (items == nullptr || items->kind != json_kind::array || items->children.empty())
    return;
  items->key = "prefixItems";
  if (auto* rest = member_of(schema, "additionalItems"))
    rest->key = "items";
  changed_ = true;
}

void keyword_repair::items(json_node& schema) {
  const auto* type = member_of(schema, "type");
  auto is_array = [](const json_node& name) { return name.text == "array"; };
  if (type == nullptr || member_of(schema, "items") != nullptr ||
      !(is_array(*type) || std::any_of(type->children.begin(), type->children.end(), is_array)))
    return;
  set_member(schema, "items", empty_node(json_kind::object));
  changed_ = true;
}

} // namespace

void schema_visitor::walk(json_node& schema) {
  visit(schema);
  if (schema.kind != json_kind::object)
    return;
  for (auto& member : schema.children) {
    const auto* known = find_keyword(member.key);
    if (known == nullptr)
      continue;
    if (known->what == shape::schema)
      walk(member);
    else if (known->what == shape::schema_list || known->what == shape::schema_map)
      for (auto& each : member.children)
        walk(each);
  }
}

bool repair_keywords(json_node& schema) {
  keyword_repair repair;
  repair.walk(schema);
  return repair.changed();
}

} // namespace troupe

#include "messages/wire/json/tool_schema.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/wire/json/schema_keywords.hpp"
#include "messages/wire/json/schema_references.hpp"
#include "messages/wire/json/schema_types.hpp"

namespace troupe {

namespace {

constexpr size_t max_nodes = 100'000;
constexpr int max_nesting = 16;      ///< of references and alternatives at the top
constexpr size_t max_work = 200'000; ///< values compared or copied to merge alternatives
constexpr std::string_view no_arguments = R"({"type":"object","properties":{}})";

using names = std::set<std::string>;

/// The rules of one schema for the members of an object.
struct object_parts {
  std::vector<json_node> properties;
  names required;
  std::string fault; ///< set: no object can fit it
};

names names_in(const json_node* required) {
  names found;
  if (required != nullptr)
    for (const auto& each : required->children)
      found.insert(each.text);
  return found;
}

size_t size_of(const json_node& node) {
  size_t sum = 1;
  for (const auto& each : node.children)
    sum += size_of(each);
  return sum;
}

/// Makes a schema one of an object.
class top_repair {
public:
  explicit top_repair(json_node& root) : root_{root} {}

  /// Returns why no object can fit the schema, or "".
  std::string run();
  bool changed() const noexcept { return changed_; }

private:
  void add_property(std::vector<json_node>& known, const json_node& more, bool both);
  void add_properties(const std::vector<json_node>& more, bool both, std::vector<json_node>& known);
  object_parts parts_of(const json_node& schema, int depth);
  void add_all(const json_node& list, int depth, object_parts& into);
  void add_any(const json_node& list, int depth, object_parts& into);
  static std::string type_fault(const json_node& schema);

  json_node& root_;
  size_t work_ = 0;
  bool changed_ = false;
};

/// Adds a property; one that is there already takes what either schema takes, or with `both` only
/// what both take.
void top_repair::add_property(std::vector<json_node>& known, const json_node& more, bool both) {
  work_ += known.size() + size_of(more);
  if (work_ > max_work)
    return;
  auto same = std::find_if(known.begin(), known.end(),
                           [&](const auto& each) { return each.key == more.key; });
  if (same == known.end()) {
    known.push_back(more);
    return;
  }
  auto merged = *same;
  auto other = more;
  merged.key.clear();
  other.key.clear();
  if (to_json(merged) == to_json(other))
    return;
  const std::string_view keyword = both ? "allOf" : "anyOf";
  auto* list = same->children.size() == 1 ? member_of(*same, keyword) : nullptr;
  if (list != nullptr) {
    list->children.push_back(std::move(other));
    return;
  }
  auto alternatives = empty_node(json_kind::array);
  alternatives.children = {std::move(merged), std::move(other)};
  auto joined = empty_node(json_kind::object);
  joined.key = more.key;
  set_member(joined, keyword, std::move(alternatives));
  *same = std::move(joined);
}

void top_repair::add_properties(const std::vector<json_node>& more, bool both,
                                std::vector<json_node>& known) {
  for (const auto& each : more)
    add_property(known, each, both);
}

std::string top_repair::type_fault(const json_node& schema) {
  if (schema.is(false))
    return "takes nothing";
  const auto* type = schema.find("type");
  const auto* values = schema.find("enum");
  auto is_object = [](const json_node& each) { return each.kind == json_kind::object; };
  auto is_named = [](const json_node& each) { return each.text == "object"; };
  if (type != nullptr && !is_named(*type) &&
      std::none_of(type->children.begin(), type->children.end(), is_named))
    return fmt::format("is of type {}, not \"object\"", to_json(*type));
  if (values != nullptr &&
      std::none_of(values->children.begin(), values->children.end(), is_object))
    return "has only values that are no objects";
  return {};
}

void top_repair::add_all(const json_node& list, int depth, object_parts& into) {
  for (const auto& each : list.children) {
    auto parts = parts_of(each, depth);
    if (into.fault.empty())
      into.fault = parts.fault;
    add_properties(parts.properties, true, into.properties);
    into.required.merge(parts.required);
  }
}

/// An alternative that is no object, such as null, is passed over.
void top_repair::add_any(const json_node& list, int depth, object_parts& into) {
  std::optional<names> common;
  std::vector<json_node> found;
  for (const auto& each : list.children) {
    auto parts = parts_of(each, depth);
    if (!parts.fault.empty())
      continue;
    add_properties(parts.properties, false, found);
    if (common)
      std::erase_if(*common, [&](const auto& name) { return !parts.required.contains(name); });
    else
      common = std::move(parts.required);
  }
  if (!common && into.fault.empty())
    into.fault = "has no alternative that is an object";
  work_ += found.size() * into.properties.size();
  if (work_ > max_work)
    return;
  for (const auto& property : found)
    if (std::none_of(into.properties.begin(), into.properties.end(),
                     [&](const auto& known) { return known.key == property.key; }))
      into.properties.push_back(property);
  if (common)
    into.required.merge(*common);
}

object_parts top_repair::parts_of(const json_node& schema, int depth) {
  object_parts parts;
  if (depth == max_nesting || ++work_ > max_work || schema.kind != json_kind::object) {
    parts.fault = schema.is(false) ? "takes nothing" : "";
    return parts;
  }
  parts.fault = type_fault(schema);
  if (const auto* properties = schema.find("properties"))
    parts.properties = properties->children;
  parts.required = names_in(schema.find("required"));
  if (const auto* reference = schema.find("$ref"))
    if (const auto* target = schema_target(root_, reference->text); target && target != &root_) {
      auto inner = parts_of(*target, depth + 1);
      if (parts.fault.empty())
        parts.fault = inner.fault;
      add_properties(inner.properties, true, parts.properties);
      parts.required.merge(inner.required);
    }
  if (const auto* list = schema.find("allOf"))
    add_all(*list, depth + 1, parts);
  for (auto keyword : {"anyOf", "oneOf"})
    if (const auto* list = schema.find(keyword))
      add_any(*list, depth + 1, parts);
  return parts;
}

std::string top_repair::run() {
  if (auto fault = type_fault(root_); !fault.empty())
    return fault;
  constexpr std::array joined{"$ref", "allOf", "anyOf", "oneOf"};
  if (std::any_of(joined.begin(), joined.end(), [&](auto each) { return root_.find(each); })) {
    auto parts = parts_of(root_, 0);
    if (work_ > max_work)
      return "has too many alternatives";
    if (!parts.fault.empty())
      return parts.fault;
    auto properties = empty_node(json_kind::object);
    properties.children = std::move(parts.properties);
    set_member(root_, "properties", std::move(properties));
    auto required = empty_node(json_kind::array);
    for (const auto& each : parts.required)
      required.children.push_back(make_string_node(each));
    if (!required.children.empty() || root_.find("required") != nullptr)
      set_member(root_, "required", std::move(required));
  }
  for (auto each : {"$ref", "allOf", "anyOf", "oneOf", "enum", "not"})
    changed_ = remove_member(root_, each) || changed_;
  if (const auto* type = root_.find("type"); type == nullptr || type->text != "object") {
    remove_member(root_, "type");
    root_.children.insert(root_.children.begin(), make_string_node("object"))->key = "type";
    changed_ = true;
  }
  if (root_.find("properties") == nullptr) {
    set_member(root_, "properties", empty_node(json_kind::object));
    changed_ = true;
  }
  return {};
}

/// Returns whether the text is nothing, null, true or PHP's empty object.
bool takes_anything(const std::optional<json_node>& root) {
  return root && (root->kind == json_kind::null || root->is(true) ||
                  (root->kind == json_kind::array && root->children.empty()));
}

} // namespace

tool_schema repair_tool_schema(std::string_view schema) {
  if (schema.empty())
    return {std::string{no_arguments}, {}};
  auto root = read_json_tree(schema, max_nodes);
  if (takes_anything(root))
    return {std::string{no_arguments}, {}};
  if (!root)
    return {{}, fmt::format("is no JSON, or has more than {} values", max_nodes)};
  if (root->kind != json_kind::object)
    return {{}, "is no object"};
  auto changed = repair_keywords(*root);
  top_repair top{*root};
  if (auto fault = top.run(); !fault.empty())
    return {{}, fault};
  changed = remove_lost_references(*root) || top.changed() || changed;
  return {changed ? to_json(*root) : std::string{}, {}};
}

} // namespace troupe

#include "messages/wire/anthropic/anthropic_schema.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "messages/wire/json/json_tree.hpp"
#include "messages/wire/json/schema_keywords.hpp"

namespace troupe {

namespace {

constexpr size_t max_schema_nodes = 100'000;

constexpr std::array<std::string_view, 18> told_only{
    "minimum",           "maximum",     "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf",        "minLength",   "maxLength",        "pattern",
    "maxItems",          "uniqueItems", "minProperties",    "maxProperties",
    "contains",          "minContains", "maxContains",      "propertyNames",
    "dependentRequired", "not"};

constexpr std::array<std::string_view, 10> known_formats{
    "date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"};

template <size_t Size>
bool is_one_of(const std::array<std::string_view, Size>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Narrows each schema that it is shown.
class narrowing final : public schema_visitor {
public:
  void visit(json_node& schema) override {
    if (schema.kind != json_kind::object)
      return;
    std::string told;
    std::vector<json_node> kept;
    for (auto& each : schema.children) {
      if (each.key == "oneOf")
        each.key = "anyOf";
      if (stays(each))
        kept.push_back(std::move(each));
      else if (each.key != "additionalProperties" || each.kind == json_kind::object)
        tell(told, each);
    }
    schema.children = std::move(kept);
    if (is_object(schema))
      set_member(schema, "additionalProperties", json_boolean(false));
    if (!told.empty())
      describe(schema, told);
  }

private:
  static bool is_object(const json_node& schema) {
    const auto* type = schema.find("type");
    return (type != nullptr && type->text == "object") || schema.find("properties") != nullptr;
  }

  static bool stays(const json_node& member) {
    if (member.key == "additionalProperties")
      return false;
    if (member.key == "format")
      return is_one_of(known_formats, member.text);
    if (member.key == "minItems")
      return member.text == "0" || member.text == "1";
    return !is_one_of(told_only, member.key);
  }

  static void tell(std::string& told, const json_node& member) {
    json_buffer value;
    append_json(value, member);
    told.append(told.empty() ? "" : ", ").append(member.key).append(": ").append(view(value));
  }

  static void describe(json_node& schema, const std::string& told) {
    const auto* known = schema.find("description");
    auto text = known == nullptr ? std::string{} : known->text + " ";
    set_member(schema, "description", make_string_node(text + "(" + told + ")"));
  }

  static json_node json_boolean(bool value) {
    json_node made;
    made.kind = json_kind::boolean;
    made.text = value ? "true" : "false";
    return made;
  }
};

} // namespace

std::string anthropic_schema(std::string_view schema) {
  auto tree = read_json_tree(schema, max_schema_nodes);
  if (!tree || tree->kind != json_kind::object)
    return std::string{schema};
  narrowing{}.walk(*tree);
  json_buffer out;
  append_json(out, *tree);
  return std::string{view(out)};
}

} // namespace troupe

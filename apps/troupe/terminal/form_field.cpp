#include "apps/troupe/terminal/form_field.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_schema.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Returns a value as a person types it.
std::string typed_form(std::string_view value) {
  return kind_of(value) == json_kind::string ? json_string(value) : std::string{value};
}

/// Appends the values of an `enum`, with the titles that `enumNames` has for them.
void add_values(std::string_view values, std::string_view titles, std::vector<std::string>& out) {
  std::vector<std::string> names;
  for_each_element(titles, [&](std::string_view title) {
    names.push_back(json_string(title));
    return true;
  });
  size_t i = 0;
  for_each_element(values, [&](std::string_view value) {
    auto title = i < names.size() ? " (" + names[i] + ')' : "";
    out.push_back(typed_form(value) + title);
    ++i;
    return true;
  });
}

/// Appends the constants of a `oneOf` or `anyOf`, with their titles.
void add_constants(std::string_view options, std::vector<std::string>& out) {
  for_each_element(options, [&](std::string_view option) {
    std::string_view value, title;
    read_members(option, {{"const", &value}, {"title", &title}});
    if (!value.empty())
      out.push_back(typed_form(value) + (title.empty() ? "" : " (" + json_string(title) + ')'));
    return true;
  });
}

void add_choices(std::string_view schema, std::vector<std::string>& out) {
  std::string_view values, titles, one_of, any_of;
  read_members(schema,
               {{"enum", &values}, {"enumNames", &titles}, {"oneOf", &one_of}, {"anyOf", &any_of}});
  add_values(values, titles, out);
  add_constants(one_of, out);
  add_constants(any_of, out);
}

form_field read_field(std::string_view name, std::string_view schema) {
  std::string_view title, description, type, fallback, items;
  read_members(schema, {{"title", &title},
                        {"description", &description},
                        {"type", &type},
                        {"default", &fallback},
                        {"items", &items}});
  form_field out;
  out.name = name;
  out.title = json_string(title);
  out.description = json_string(description);
  out.type = json_string(type);
  out.schema = schema;
  out.fallback = fallback;
  add_choices(schema, out.choices);
  add_choices(items, out.choices); // of a list
  return out;
}

/// Returns what the prompt says of the kind of value: "number, required".
std::string kind_text(const form_field& field) {
  auto out = field.type == "array" ? R"(list as JSON: ["a", "b"])" : field.type;
  if (field.type == "boolean")
    out = "y or n";
  if (field.required)
    out += out.empty() ? "required" : ", required";
  return out;
}

bool is_one_of(const std::string& typed, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), typed) != words.end();
}

/// Returns the typed text as JSON; "" if it is no value of the type.
std::string json_of(const std::string& type, const std::string& typed) {
  if (type == "string" || type.empty())
    return to_json(typed);
  if (type != "boolean")
    return json_fault(typed).empty() ? typed : "";
  if (is_one_of(typed, {"y", "yes", "true"}))
    return "true";
  return is_one_of(typed, {"n", "no", "false"}) ? "false" : "";
}

/// Says how a value that is no JSON should have looked.
std::string wanted(const std::string& type) {
  if (type == "boolean")
    return "type y or n";
  if (type == "number" || type == "integer")
    return "type a number";
  return R"(type JSON, a list as ["a", "b"])";
}

} // namespace

std::vector<form_field> fields_of(std::string_view schema) {
  std::vector<form_field> fields;
  std::string_view properties, required;
  read_members(schema, {{"properties", &properties}, {"required", &required}});
  for_each_member(properties, [&](std::string_view key, std::string_view property) {
    fields.push_back(read_field(key, property));
    return true;
  });
  for_each_element(required, [&](std::string_view name) {
    for (auto& each : fields)
      each.required = each.required || each.name == json_string(name);
    return true;
  });
  return fields;
}

std::string prompt_of(const form_field& field) {
  std::string out;
  const auto* colon = field.title.empty() || field.description.empty() ? "" : ": ";
  if (auto about = field.title + colon + field.description; !about.empty())
    out += terminal_text(about, true) + '\n';
  for (const auto& each : field.choices)
    out += "  " + terminal_text(each) + '\n';
  out += terminal_text(field.name);
  if (auto kind = kind_text(field); !kind.empty())
    out += " (" + terminal_text(kind) + ')';
  if (!field.fallback.empty())
    out += " [" + terminal_text(field.fallback) + ']';
  return out + ": ";
}

typed_value read_typed(const form_field& field, const std::string& typed) {
  if (typed.empty() && field.fallback.empty() && field.required)
    return {"", "it is required"};
  if (typed.empty())
    return {field.fallback, ""};
  auto json = json_of(field.type, typed);
  if (json.empty())
    return {"", wanted(field.type)};
  if (auto mismatch = schema_mismatch(field.schema, json); !mismatch.empty())
    return {"", mismatch};
  return {std::move(json), ""};
}

} // namespace troupe

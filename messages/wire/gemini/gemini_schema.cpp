#include "messages/wire/gemini/gemini_schema.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/wire/gemini/schema_words.hpp"
#include "messages/wire/json/json_tree.hpp"
#include "messages/wire/json/schema_types.hpp"

namespace troupe {

// -- schema meaning -------------------------------------------------------------------------------

/// The keywords of a schema, and what they say of types and values; null is kept apart.
struct schema_meaning {
  schema_words words;
  std::vector<std::string_view> types; ///< without null
  std::vector<json_node> values;       ///< of enum or const, without null
  bool is_nullable = false;

  /// Returns the type of a schema that names none; what may be anything is a string.
  std::string_view likely_type() const;
};

namespace {

/// Returns the type of a value as schemas name it.
std::string_view type_of_value(const json_node& value) {
  switch (value.kind) {
  case json_kind::number:
    return value.text.find_first_of(".eE") == std::string::npos ? "integer" : "number";
  case json_kind::boolean:
    return "boolean";
  case json_kind::object:
    return "object";
  case json_kind::array:
    return "array";
  case json_kind::null:
    return "null";
  default:
    return "string";
  }
}

void add_type(schema_meaning& into, const std::string& written) {
  const auto type = schema_type(written);
  if (type == "null")
    into.is_nullable = true;
  else if (!type.empty() && std::ranges::find(into.types, type) == into.types.end())
    into.types.push_back(type);
}

} // namespace

std::string_view schema_meaning::likely_type() const {
  if (!values.empty())
    return type_of_value(values.front());
  if (!words.properties.empty() || words.find("additionalProperties") != nullptr)
    return "object";
  return words.find("items") != nullptr || words.find("prefixItems") != nullptr ? "array"
                                                                                : "string";
}

/// Reads the keywords.
schema_meaning schema_meaning_of(schema_words words) {
  schema_meaning made;
  made.words = std::move(words);
  if (const auto* type = made.words.find("type")) {
    add_type(made, type->text);
    for (const auto& each : type->children)
      add_type(made, each.text);
  }
  const auto* values = made.words.find("enum");
  if (values != nullptr)
    made.values = values->children;
  else if (const auto* only = made.words.find("const"))
    made.values.push_back(*only);
  const auto nulls =
      std::erase_if(made.values, [](const auto& each) { return each.kind == json_kind::null; });
  made.is_nullable = made.is_nullable || nulls > 0;
  return made;
}

// -- gemini schema --------------------------------------------------------------------------------

namespace {

constexpr size_t max_read_nodes = 100'000;
constexpr size_t max_made_schemas = 5'000; ///< references written out may make very many
constexpr int max_depth = 10;              ///< deeper schemas are refused as too complex
constexpr size_t max_listed_bytes = 500;   ///< of values told in a description

json_node literal_node(std::string_view text, json_kind kind) {
  json_node made;
  made.kind = kind;
  made.text = text;
  return made;
}

void set_text(json_node& into, std::string_view key, std::string_view text) {
  if (!text.empty())
    set_member(into, key, make_string_node(std::string{text}));
}

void add_sentence(std::string& to, std::string_view sentence) {
  to.append(to.empty() ? "" : " ").append(sentence);
}

/// Returns values as people read them: "1, 2, \"x\"".
std::string listed(const std::vector<json_node>& values) {
  std::string text;
  for (const auto& each : values) {
    text.append(text.empty() ? "" : ", ").append(to_json(each));
    if (text.size() > max_listed_bytes)
      return {};
  }
  return text;
}

json_node plain(std::string_view type, std::string_view description = {}) {
  auto made = empty_node(json_kind::object);
  set_text(made, "type", type);
  set_text(made, "description", description);
  return made;
}

/// Returns the list with the alternatives of its members in their places.
std::vector<json_node> flat(std::vector<json_node> list) {
  std::vector<json_node> made;
  for (auto& each : list)
    if (auto* inner = member_of(each, "anyOf"))
      std::ranges::move(inner->children, std::back_inserter(made));
    else
      made.push_back(std::move(each));
  return made;
}

/// Makes the reduced form of one document.
class reduction {
public:
  explicit reduction(const json_node& root) : root_{root}, open_{&root} {}

  json_node reduce(const json_node& schema, int depth);

private:
  json_node alternatives(const schema_meaning& it, const json_node& list, int depth);
  json_node of_types(const schema_meaning& it, int depth);
  json_node typed(const schema_meaning& it, std::string_view type, int depth);
  void add_values(const schema_meaning& it, json_node& made, std::string& told) const;
  static void add_bounds(const schema_meaning& it, json_node& made);
  void add_items(const schema_meaning& it, json_node& made, int depth);
  void add_properties(const schema_meaning& it, json_node& made, int depth);
  static json_node any_of(std::vector<json_node> list, const schema_meaning& it);

  const json_node& root_;
  std::vector<const json_node*> open_;
  size_t made_ = 0;
};

json_node reduction::reduce(const json_node& schema, int depth) {
  const auto first = open_.size();
  auto it = schema_meaning_of(schema_words_of(root_, schema, open_));
  json_node made;
  const auto* list = it.words.find("anyOf");
  if (list == nullptr)
    list = it.words.find("oneOf");
  const auto is_deep = depth > max_depth || ++made_ > max_made_schemas;
  if (it.words.is_recursive || is_deep)
    made = plain("object", it.words.text("description"));
  else if (list != nullptr && it.words.properties.empty() && it.values.empty())
    made = alternatives(it, *list, depth);
  else
    made = of_types(it, depth);
  open_.resize(first);
  return made;
}

json_node reduction::alternatives(const schema_meaning& it, const json_node& list, int depth) {
  auto all = it;
  std::vector<json_node> made;
  for (const auto& each : list.children) {
    const auto* type = each.find("type");
    const auto* only = each.find("const");
    const auto is_null = (type != nullptr && type->text == "null") ||
                         (only != nullptr && only->kind == json_kind::null);
    all.is_nullable = all.is_nullable || is_null;
    if (!is_null && each.kind == json_kind::object)
      made.push_back(reduce(each, depth + 1));
  }
  return made.empty() ? of_types(it, depth) : any_of(std::move(made), all);
}

/// Returns the only one of `list`, or all of them below anyOf, beside which nothing may stand: what
/// holds for all is told in each.
json_node reduction::any_of(std::vector<json_node> list, const schema_meaning& it) {
  list = flat(std::move(list));
  for (auto& each : list) {
    if (it.is_nullable)
      set_member(each, "nullable", literal_node("true", json_kind::boolean));
    if (each.find("description") == nullptr)
      set_text(each, "description", it.words.text("description"));
  }
  if (list.size() == 1)
    return std::move(list.front());
  auto made = empty_node(json_kind::object);
  auto alternatives = empty_node(json_kind::array);
  alternatives.children = std::move(list);
  set_member(made, "anyOf", std::move(alternatives));
  return made;
}

json_node reduction::of_types(const schema_meaning& it, int depth) {
  if (it.types.size() <= 1)
    return typed(it, it.types.empty() ? it.likely_type() : it.types.front(), depth);
  std::vector<json_node> made;
  for (auto type : it.types)
    made.push_back(typed(it, type, depth));
  return any_of(std::move(made), it);
}

json_node reduction::typed(const schema_meaning& it, std::string_view type, int depth) {
  auto made = plain(type);
  auto told = std::string{it.words.text("description")};
  set_text(made, "title", it.words.text("title"));
  add_values(it, made, told);
  add_bounds(it, made);
  if (const auto format = it.words.text("format"); !format.empty()) {
    constexpr std::array<std::string_view, 5> known{"date-time", "int32", "int64", "float",
                                                    "double"};
    const auto is_known = std::ranges::find(known, format) != known.end();
    const auto fits = (type == "string") == (format == "date-time");
    if (is_known && fits && (type == "string" || type == "integer" || type == "number"))
      set_text(made, "format", format);
    else
      add_sentence(told, fmt::format("Format: {}.", format));
  }
  if (const auto* fallback = it.words.find("default");
      fallback != nullptr && fallback->children.empty())
    add_sentence(told, fmt::format("Default: {}.", to_json(*fallback)));
  if (type == "array")
    add_items(it, made, depth);
  else if (type == "object")
    add_properties(it, made, depth);
  if (!told.empty()) // in front of what is within
    made.children.insert(made.children.begin() + 1, make_string_node(told))->key = "description";
  if (it.is_nullable)
    set_member(made, "nullable", literal_node("true", json_kind::boolean));
  return made;
}

/// An enum may have strings only, and none that is empty.
void reduction::add_values(const schema_meaning& it, json_node& made, std::string& told) const {
  if (it.values.empty())
    return;
  const auto usable = [](const json_node& each) {
    return each.kind == json_kind::string && !each.text.empty();
  };
  if (made.find("type")->text == "string" && std::ranges::all_of(it.values, usable)) {
    auto list = empty_node(json_kind::array);
    for (const auto& each : it.values)
      list.children.push_back(make_string_node(each.text));
    set_member(made, "enum", std::move(list));
  } else if (const auto text = listed(it.values); !text.empty()) {
    add_sentence(told, fmt::format("One of: {}.", text));
  }
}

/// Copies the bounds of the type that 32 bits hold; exclusive ones are left out.
void reduction::add_bounds(const schema_meaning& it, json_node& made) {
  struct row {
    std::string_view type, keyword;
  };
  constexpr std::array rows{row{"string", "minLength"}, row{"string", "maxLength"},
                            row{"integer", "minimum"},  row{"integer", "maximum"},
                            row{"number", "minimum"},   row{"number", "maximum"},
                            row{"array", "minItems"},   row{"array", "maxItems"}};
  for (const auto& [type, keyword] : rows) {
    const auto* bound = made.find("type")->text == type ? it.words.find(keyword) : nullptr;
    if (bound == nullptr)
      continue;
    const auto number = wide_number(*bound);
    constexpr long double most = std::numeric_limits<int32_t>::max();
    if (number >= -most && number <= most)
      set_member(made, keyword, literal_node(bound->text, json_kind::number));
  }
}

void reduction::add_items(const schema_meaning& it, json_node& made, int depth) {
  std::vector<json_node> all;
  std::unordered_set<std::string> known;
  const auto add = [&](const json_node& schema) {
    auto reduced = reduce(schema, depth + 1);
    if (known.insert(to_json(reduced)).second)
      all.push_back(std::move(reduced));
  };
  if (const auto* places = it.words.find("prefixItems"))
    for (const auto& each : places->children)
      add(each);
  const auto* items = it.words.find("items");
  if (items != nullptr && items->kind == json_kind::object)
    add(*items);
  set_member(made, "items", all.empty() ? plain("string") : any_of(std::move(all), {}));
}

void reduction::add_properties(const schema_meaning& it, json_node& made, int depth) {
  if (it.words.properties.empty())
    return;
  auto properties = empty_node(json_kind::object);
  const std::unordered_set<std::string_view> demanded{it.words.required.begin(),
                                                      it.words.required.end()};
  auto required = empty_node(json_kind::array);
  for (const auto* each : it.words.properties) { // each key once
    properties.children.push_back(reduce(*each, depth + 1));
    properties.children.back().key = each->key;
    if (demanded.contains(each->key))
      required.children.push_back(make_string_node(each->key));
  }
  set_member(made, "properties", std::move(properties));
  if (!required.children.empty())
    set_member(made, "required", std::move(required));
}

} // namespace

std::string reduced_gemini_schema(std::string_view schema) {
  const auto root = read_json_tree(schema, max_read_nodes);
  if (!root)
    return {};
  const auto made = reduction{*root}.reduce(*root, 0);
  const auto* type = made.find("type");
  const auto is_bare = type != nullptr && type->text == "object" && !made.find("properties");
  return is_bare ? std::string{} : to_json(made);
}

} // namespace troupe

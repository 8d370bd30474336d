#include "messages/wire/ollama/ollama_schema.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "messages/wire/json/json_tree.hpp"
#include "messages/wire/json/schema_references.hpp"

namespace troupe {

namespace {

constexpr size_t max_nodes = 100'000;
constexpr size_t max_depth = 32;
constexpr size_t max_expanded_bytes = size_t{64} * 1024; ///< after it no reference is followed

using nodes = std::vector<json_node>;

bool is_null_type(const json_node& schema) {
  const auto* type = schema.find("type");
  return type != nullptr && type->text == "null" && schema.children.size() == 1;
}

/// Returns the schema's type, of several the first that is not null; "" if it has none.
std::string type_of(const json_node& schema) {
  const auto* type = schema.find("type");
  if (type == nullptr || type->kind == json_kind::string)
    return type == nullptr ? std::string{} : type->text;
  for (const auto& each : type->children)
    if (each.text != "null")
      return each.text;
  return type->children.empty() ? std::string{} : type->children.front().text;
}

/// Returns whether Ollama reads the keyword, or a form of it: a schema may have very many others.
bool is_read(std::string_view keyword) {
  constexpr std::array<std::string_view, 7> read{"enum",       "required", "const", "items",
                                                 "properties", "anyOf",    "oneOf"};
  return std::ranges::find(read, keyword) != read.end();
}

/// Writes one tool's schema, and those within.
class schema_writer {
public:
  schema_writer(json_buffer& out, const json_node& root) : out_{out}, root_{root} {}

  /// @param description of what refers to the schema; counts where that has none
  void schema(const json_node& schema, const std::string& description = {}) {
    if (schema.kind != json_kind::object || depth_ == max_depth)
      return append_raw(out_, "{}");
    ++depth_;
    if (const auto* one = single(schema))
      refer(*one, own_description(schema, description));
    else
      object(schema, own_description(schema, description));
    --depth_;
  }

private:
  static std::string own_description(const json_node& schema, const std::string& other) {
    const auto* own = schema.find("description");
    return own == nullptr || own->text.empty() ? other : own->text;
  }

  /// Returns what a schema stands for that says nothing itself: a reference, or the one alternative
  /// that is not null.
  const json_node* single(const json_node& schema) const {
    if (const auto* to = schema.find("$ref"))
      return schema_target(root_, to->text);
    if (schema.find("type") != nullptr || schema.find("properties") != nullptr)
      return nullptr;
    const json_node* found = nullptr;
    for (const char* key : {"anyOf", "oneOf", "allOf"})
      if (const auto* list = schema.find(key))
        for (const auto& each : list->children) {
          if (is_null_type(each))
            continue;
          if (found != nullptr)
            return nullptr;
          found = &each;
        }
    return found;
  }

  void refer(const json_node& to, const std::string& description) {
    const bool is_inside = std::ranges::find(open_, &to) != open_.end();
    if (is_inside || out_.size() > max_expanded_bytes)
      return append_raw(out_, R"({"type":"object"})");
    open_.push_back(&to);
    schema(to, description);
    open_.pop_back();
  }

  void object(const json_node& schema, const std::string& description) {
    out_.push_back('{');
    bool first = true;
    const auto begin = [&](std::string_view key) {
      append_raw(out_, first ? "\"" : ",\"");
      append_raw(out_, key);
      append_raw(out_, "\":");
      first = false;
    };
    if (auto type = type_of(schema); !type.empty()) {
      begin("type");
      append_json(out_, type);
    }
    if (!description.empty()) {
      begin("description");
      append_json(out_, description);
    }
    for (const auto& each : schema.children) {
      const bool is_other_form = (each.key == "const" && schema.find("enum") != nullptr) ||
                                 (each.key == "oneOf" && schema.find("anyOf") != nullptr);
      if (is_read(each.key) && !is_other_form && schema.find(each.key) == &each)
        member(each, begin);
    }
    out_.push_back('}');
  }

  template <class Begin>
  void member(const json_node& each, const Begin& begin) {
    if (each.key == "enum" || each.key == "required") {
      begin(each.key);
      append_json(out_, each);
    } else if (each.key == "const") {
      begin("enum");
      out_.push_back('[');
      append_json(out_, each);
      out_.push_back(']');
    } else if (each.key == "items") {
      begin("items");
      schema(each);
    } else if (each.key == "properties") {
      begin("properties");
      properties(each.children);
    } else if (each.key == "anyOf" || each.key == "oneOf") {
      begin("anyOf");
      alternatives(each.children);
    }
  }

  void properties(const nodes& list) {
    out_.push_back('{');
    for (const auto& each : list) {
      if (&each != &list.front())
        out_.push_back(',');
      append_json(out_, each.key);
      out_.push_back(':');
      schema(each);
    }
    out_.push_back('}');
  }

  void alternatives(const nodes& list) {
    out_.push_back('[');
    for (const auto& each : list) {
      if (&each != &list.front())
        out_.push_back(',');
      schema(each);
    }
    out_.push_back(']');
  }

  json_buffer& out_;
  const json_node& root_;
  size_t depth_ = 0;
  std::vector<const json_node*> open_; ///< that a reference is being followed to
};

} // namespace

void append_ollama_schema(json_buffer& out, std::string_view schema) {
  const auto root = read_json_tree(schema, max_nodes);
  if (!root)
    return append_raw(out, R"({"type":"object","properties":{}})");
  json_buffer made;
  schema_writer{made, *root}.schema(*root);
  append_raw(out, view(made));
}

} // namespace troupe

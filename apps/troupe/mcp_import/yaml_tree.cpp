#include "apps/troupe/mcp_import/yaml_tree.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <yaml.h>

#include "messages/wire/json/json_check.hpp"

namespace troupe {

namespace {

constexpr size_t max_nodes = 100'000; ///< aliases of aliases could make any number
constexpr int max_depth = 64;

/// Owns a parser and the document that it made.
class yaml_text {
public:
  explicit yaml_text(std::string_view text) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
    loaded_ = yaml_parser_load(&parser_, &document_) != 0;
  }
  ~yaml_text() {
    if (loaded_)
      yaml_document_delete(&document_);
    yaml_parser_delete(&parser_);
  }
  yaml_text(const yaml_text&) = delete;
  yaml_text& operator=(const yaml_text&) = delete;

  /// Returns the document, or nullptr if the text is broken.
  yaml_document_t* document() { return loaded_ ? &document_ : nullptr; }

  std::string fault() const {
    const auto& at = parser_.problem_mark;
    return fmt::format("line {}, column {}: {}", at.line + 1, at.column + 1,
                       parser_.problem != nullptr ? parser_.problem : "the text is not valid");
  }

private:
  yaml_parser_t parser_{};
  yaml_document_t document_{};
  bool loaded_ = false;
};

/// Makes an object of its members; knows where each is, because there may be many.
class object_maker {
public:
  explicit object_maker(json_node& out) : out_{out} { out = empty_node(json_kind::object); }

  /// Adds the member, or replaces the one of the same key.
  void set(json_node member) {
    const auto [at, fresh] = places_.emplace(member.key, out_.children.size());
    if (fresh)
      out_.children.push_back(std::move(member));
    else
      out_.children[at->second] = std::move(member);
  }

  /// Adds the member, unless there is one of the same key.
  void add(json_node member) {
    if (places_.emplace(member.key, out_.children.size()).second)
      out_.children.push_back(std::move(member));
  }

private:
  json_node& out_;
  std::unordered_map<std::string, size_t> places_;
};

class tree_maker {
public:
  explicit tree_maker(yaml_document_t& document) : document_{document} {}

  /// Returns whether the value is within the bounds.
  bool make(int id, int depth, json_node& out) {
    const auto* node = yaml_document_get_node(&document_, id);
    if (node == nullptr || depth > max_depth || left_ == 0)
      return false;
    --left_;
    switch (node->type) {
    case YAML_MAPPING_NODE:
      return mapping(*node, depth, out);
    case YAML_SEQUENCE_NODE:
      return sequence(*node, depth, out);
    default:
      scalar(*node, out);
      return true;
    }
  }

private:
  static std::string_view text_of(const yaml_node_t& node) {
    return {reinterpret_cast<const char*>(node.data.scalar.value), node.data.scalar.length};
  }

  static void scalar(const yaml_node_t& node, json_node& out) {
    out = make_string_node(std::string{text_of(node)});
    if (node.data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
      return;
    if (out.text.empty() || out.text == "~")
      out.text = "null";
    if (json_fault(out.text).empty()) // null, true, false or a number: nothing else is plain
      out.kind = kind_of(out.text);
  }

  bool sequence(const yaml_node_t& node, int depth, json_node& out) {
    out = empty_node(json_kind::array);
    const auto& items = node.data.sequence.items;
    return std::all_of(items.start, items.top, [&](yaml_node_item_t item) {
      return make(item, depth + 1, out.children.emplace_back());
    });
  }

  /// Members of a mapping win over those that are merged into it.
  bool mapping(const yaml_node_t& node, int depth, json_node& out) {
    object_maker made{out};
    std::vector<json_node> merged;
    const auto& pairs = node.data.mapping.pairs;
    for (const auto* pair = pairs.start; pair < pairs.top; ++pair) {
      const auto* key = yaml_document_get_node(&document_, pair->key);
      json_node value;
      if (key == nullptr || key->type != YAML_SCALAR_NODE || !make(pair->value, depth + 1, value))
        return false;
      value.key = text_of(*key);
      if (value.key == "<<")
        merged.push_back(std::move(value));
      else
        made.set(std::move(value));
    }
    for (auto& each : merged)
      merge(each, made);
    return true;
  }

  static void merge(json_node& from, object_maker& into) {
    if (from.kind == json_kind::array)
      for (auto& each : from.children)
        merge(each, into);
    if (from.kind == json_kind::object)
      for (auto& each : from.children)
        into.add(std::move(each));
  }

  yaml_document_t& document_;
  size_t left_ = max_nodes;
};

} // namespace

std::string read_yaml_tree(std::string_view text, json_node& out) {
  yaml_text source{text};
  auto* document = source.document();
  if (document == nullptr)
    return source.fault();
  const auto* root = yaml_document_get_root_node(document);
  if (root == nullptr)
    return "the text is empty";
  if (!tree_maker{*document}.make(1, 0, out)) // the root has the first id
    return "the text is nested too deep, too large, or has a key that is no plain text";
  return "";
}

} // namespace troupe

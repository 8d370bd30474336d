#include "messages/wire/gemini/schema_words.hpp"

#include <algorithm>
#include <unordered_set>

#include "messages/wire/json/schema_references.hpp"

namespace troupe {

namespace {

constexpr int max_nesting = 16; ///< of references and allOf in one schema

class gathering {
public:
  gathering(const json_node& root, std::vector<const json_node*>& open, schema_words& out)
      : root_{root}, open_{open}, out_{out} {}

  void add(const json_node& schema, int nesting) {
    if (schema.kind != json_kind::object)
      return;
    for (const auto& each : schema.children)
      add_word(each);
    if (const auto* reference = schema.find("$ref"))
      follow(reference->text, nesting);
    const auto* all = schema.find("allOf");
    if (all == nullptr || nesting == max_nesting)
      return;
    for (const auto& each : all->children)
      add(each, nesting + 1);
  }

private:
  void add_word(const json_node& word) {
    if (word.key == "properties")
      for (const auto& each : word.children)
        add_property(each);
    else if (word.key == "required")
      for (const auto& each : word.children)
        out_.required.emplace_back(each.text);
    else if (word.key != "$ref" && word.key != "allOf" && words_.insert(word.key).second)
      out_.words.emplace_back(std::string_view{word.key}, &word);
  }

  void add_property(const json_node& property) {
    if (properties_.insert(property.key).second)
      out_.properties.push_back(&property);
  }

  void follow(std::string_view reference, int nesting) {
    const auto* target = schema_target(root_, reference);
    if (target == nullptr)
      return;
    if (nesting == max_nesting || std::ranges::find(open_, target) != open_.end()) {
      out_.is_recursive = true;
      return;
    }
    open_.push_back(target);
    add(*target, nesting + 1);
  }

  const json_node& root_;
  std::vector<const json_node*>& open_;
  schema_words& out_;
  // The names seen so far, in sets: servers may list very many.
  std::unordered_set<std::string_view> words_;
  std::unordered_set<std::string_view> properties_;
};

} // namespace

const json_node* schema_words::find(std::string_view keyword) const {
  const auto found = std::ranges::find(words, keyword, [](const auto& each) { return each.first; });
  return found == words.end() ? nullptr : found->second;
}

std::string_view schema_words::text(std::string_view keyword) const {
  const auto* found = find(keyword);
  return found != nullptr && found->kind == json_kind::string ? std::string_view{found->text}
                                                              : std::string_view{};
}

schema_words schema_words_of(const json_node& root, const json_node& schema,
                             std::vector<const json_node*>& open) {
  schema_words made;
  gathering{root, open, made}.add(schema, 0);
  return made;
}

} // namespace troupe

// The keywords of one JSON Schema, with those that it has by reference.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "messages/wire/json/json_tree.hpp"

namespace troupe {

/// The keywords of a schema, of what `$ref` leads to, and of all of `allOf`; views and pointers
/// into the tree. Of a keyword that occurs several times the first counts, and nearer ones come
/// first; `properties` and `required` are joined.
struct schema_words {
  std::vector<std::pair<std::string_view, const json_node*>> words;
  std::vector<const json_node*> properties;
  std::vector<std::string_view> required;
  bool is_recursive = false; ///< a reference leads back into a schema that is open

  /// Returns the value of a keyword; nullptr if there is none.
  const json_node* find(std::string_view keyword) const;

  /// Returns the string of a keyword; "" if it has none.
  std::string_view text(std::string_view keyword) const;
};

/// Gathers keywords. @param open targets of the references that lead to `schema`; those that are
/// followed now are added
schema_words schema_words_of(const json_node& root, const json_node& schema,
                             std::vector<const json_node*>& open);

} // namespace troupe

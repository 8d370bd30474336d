// The kinds of values that the keywords of JSON Schema have.
#pragma once

#include "messages/wire/json/json_tree.hpp"

namespace troupe {

/// Repairs the keywords of one schema and all schemas within. Hashes of the tree are not kept.
/// Returns whether anything was changed.
bool repair_keywords(json_node& schema);

/// Shows `visit` the schema and all schemas within; it may change what it is shown.
class schema_visitor {
public:
  virtual ~schema_visitor() = default;
  virtual void visit(json_node& schema) = 0;

  /// Visits `schema`, then the schemas within.
  void walk(json_node& schema);
};

} // namespace troupe

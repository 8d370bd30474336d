// The rules of JSON Schema 2020-12, one function per group of keywords; json_schema.hpp says which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "messages/wire/json/json_tree.hpp"

namespace troupe {

/// The result of a check. `unknown`: the value breaks no rule that was checked, but some rules were
/// not checked. Then the opposite (`not`, "exactly one") is unknown, too.
enum class verdict : uint8_t { no, unknown, yes };

/// Checks values against one schema.
class schema_check {
public:
  static constexpr size_t max_depth = 64;      ///< of schemas within schemas
  static constexpr size_t max_steps = 100'000; ///< rules applied, members and values compared

  /// @param schema outlives this
  explicit schema_check(const json_node& schema);

  verdict check(const json_node& value) { return check(root_, value); }

  /// Returns the first rule that `check` found broken, and its place.
  const std::string& message() const { return message_; }

private:
  /// The input of a rule: the value of its keyword, the schema that holds the keyword, and the
  /// value.
  struct operands {
    const json_node& keyword;
    const json_node& schema;
    const json_node& value;
  };
  struct row {
    std::string_view keyword;
    verdict (schema_check::*rule)(const operands& in);
  };
  static const row rows[];
  static const row* find_row(std::string_view keyword);

  /// Where a value is within its parent: the key, or the index when there is no key.
  struct step {
    const std::string* key;
    size_t index;
  };

  verdict check(const json_node& schema, const json_node& value);
  verdict check_at(step where, const json_node& schema, const json_node& value);
  verdict try_out(const json_node& schema, const json_node& value);

  // Rules for any value.
  verdict type(const operands& in);
  verdict enumeration(const operands& in);
  verdict constant(const operands& in);
  verdict bound(const operands& in);
  verdict multiple_of(const operands& in);
  // For objects.
  verdict properties(const operands& in);
  verdict required(const operands& in);
  verdict additional(const operands& in);
  verdict names(const operands& in);
  verdict dependent(const operands& in);
  // For arrays.
  verdict items(const operands& in);
  verdict prefix_items(const operands& in);
  verdict contains(const operands& in);
  verdict unique(const operands& in);
  // For subschemas.
  verdict all_of(const operands& in);
  verdict any_of(const operands& in);
  verdict one_of(const operands& in);
  verdict negation(const operands& in);
  verdict condition(const operands& in);
  verdict reference(const operands& in);
  // Keywords that are not checked; they matter for values of these types only.
  verdict unread_of_string(const operands& in);
  verdict unread_of_object(const operands& in);
  verdict unread_of_array(const operands& in);
  verdict unread(const operands& in);

  verdict require_names(const json_node& wanted, const json_node& value);
  const json_node* resolve(std::string_view pointer);
  const json_node* member(const json_node& object, std::string_view key);
  bool equal(const json_node& a, const json_node& b);

  /// Counts work; returns false above max_steps.
  bool spend(size_t steps = 1);

  /// Notes the first broken rule, unless it is only tried out.
  template <class... Args>
  verdict fail(fmt::format_string<Args...> text, Args&&... args) {
    if (trials_ == 0 && message_.empty())
      message_ = place() + fmt::format(text, std::forward<Args>(args)...);
    return verdict::no;
  }
  std::string place() const;

  const json_node& root_;
  std::map<std::string, const json_node*, std::less<>> anchors_;
  bool has_resources_ =
      false; ///< schemas with an `$id` of their own, to which references are bound
  std::vector<step> path_;
  std::string message_;
  size_t left_ = max_steps;
  size_t depth_ = 0;
  size_t trials_ = 0;
};

} // namespace troupe

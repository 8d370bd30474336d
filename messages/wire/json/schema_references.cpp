#include "messages/wire/json/schema_references.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "messages/wire/json/schema_keywords.hpp"
#include "messages/wire/percent.hpp"

namespace troupe {

namespace {

/// Returns a step of a JSON pointer (RFC 6901) without its escapes.
std::string step_of(std::string_view written) {
  auto step = percent_decoded_leniently(written);
  for (size_t at = 0; (at = step.find('~', at)) != std::string::npos; ++at)
    if (at + 1 < step.size() && (step[at + 1] == '0' || step[at + 1] == '1'))
      step.replace(at, 2, step[at + 1] == '0' ? "~" : "/");
  return step;
}

const json_node* child_of(const json_node& node, const std::string& step) {
  if (node.kind != json_kind::array)
    return node.find(step);
  size_t index = 0;
  auto end = step.data() + step.size();
  auto read = std::from_chars(step.data(), end, index);
  auto is_index = read.ec == std::errc{} && read.ptr == end && index < node.children.size();
  return is_index ? &node.children[index] : nullptr;
}

class reference_repair : public schema_visitor {
public:
  explicit reference_repair(const json_node& root) : root_{root} {}

  void visit(json_node& schema) override {
    const auto* reference = schema.find("$ref");
    if (reference == nullptr || !reference->text.starts_with("#/") ||
        schema_target(root_, reference->text) != nullptr)
      return;
    changed_ = remove_member(schema, "$ref") || changed_;
  }

  bool changed() const noexcept { return changed_; }

private:
  const json_node& root_;
  bool changed_ = false;
};

} // namespace

const json_node* schema_target(const json_node& root, std::string_view reference) {
  if (!reference.starts_with('#') || (reference.size() > 1 && reference[1] != '/'))
    return nullptr;
  const auto* at = &root;
  reference.remove_prefix(1);
  while (at != nullptr && !reference.empty()) {
    reference.remove_prefix(1);
    auto end = std::min(reference.find('/'), reference.size());
    at = child_of(*at, step_of(reference.substr(0, end)));
    reference.remove_prefix(end);
  }
  return at;
}

bool remove_lost_references(json_node& root) {
  reference_repair repair{root};
  repair.walk(root);
  return repair.changed();
}

} // namespace troupe

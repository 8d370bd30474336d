#include "messages/wire/json/json_schema.hpp"

#include <algorithm>
#include <charconv>

#include "messages/wire/json/json_schema_check.hpp"
#include "messages/wire/percent.hpp"

namespace troupe {

namespace {

/// Shows every object in a tree.
void for_each_object(const json_node& node, const std::function<void(const json_node&)>& visit) {
  if (node.kind == json_kind::object)
    visit(node);
  for (const auto& child : node.children)
    for_each_object(child, visit);
}

/// Replaces all of `from`.
void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string unescaped(std::string_view token) {
  std::string out{token};
  replace_all(out, "~1", "/");
  replace_all(out, "~0", "~");
  return out;
}

std::string escaped(std::string_view key) {
  std::string out{key};
  replace_all(out, "~", "~0");
  replace_all(out, "/", "~1");
  return out;
}

const json_node* element(const json_node& array, std::string_view token) {
  size_t index = 0;
  auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  auto whole = error == std::errc{} && end == token.data() + token.size();
  return whole && index < array.children.size() ? &array.children[index] : nullptr;
}

} // namespace

schema_check::schema_check(const json_node& schema) : root_{schema} {
  for_each_object(schema, [this](const json_node& object) {
    for (const auto* keyword : {"$anchor", "$dynamicAnchor"})
      if (const auto* name = object.find(keyword); name && name->kind == json_kind::string)
        anchors_.emplace(name->text, &object);
    const auto* id = object.find("$id");
    has_resources_ |= &object != &root_ && id && id->kind == json_kind::string;
  });
}

verdict schema_check::check(const json_node& schema, const json_node& value) {
  if (schema.kind == json_kind::boolean)
    return schema.is(true) ? verdict::yes : fail(" is not allowed");
  if (schema.kind != json_kind::object || depth_ == max_depth || !spend())
    return verdict::unknown;
  ++depth_;
  auto found = verdict::yes;
  for (const auto& keyword : schema.children) {
    if (const auto* known = find_row(keyword.key))
      found = std::min(found,
                       spend() ? (this->*known->rule)({keyword, schema, value}) : verdict::unknown);
    if (found == verdict::no)
      break;
  }
  --depth_;
  return found;
}

verdict schema_check::check_at(step where, const json_node& schema, const json_node& value) {
  path_.push_back(where);
  auto found = check(schema, value);
  path_.pop_back();
  return found;
}

verdict schema_check::try_out(const json_node& schema, const json_node& value) {
  ++trials_;
  auto found = check(schema, value);
  --trials_;
  return found;
}

bool schema_check::spend(size_t steps) {
  auto enough = steps <= left_;
  left_ = enough ? left_ - steps : 0;
  return enough;
}

const json_node* schema_check::member(const json_node& object, std::string_view key) {
  constexpr size_t compared_per_step = 16;
  return spend(1 + object.children.size() / compared_per_step) ? object.find(key) : nullptr;
}

const json_node* schema_check::resolve(std::string_view pointer) {
  const auto* at = &root_;
  while (at && !pointer.empty()) {
    pointer.remove_prefix(1);
    auto token = unescaped(pointer.substr(0, pointer.find('/')));
    pointer.remove_prefix(std::min(pointer.find('/'), pointer.size()));
    at = at->kind == json_kind::array ? element(*at, token) : member(*at, token);
  }
  return at;
}

verdict schema_check::reference(const operands& in) {
  if (in.keyword.kind != json_kind::string || !in.keyword.text.starts_with('#') || has_resources_)
    return verdict::unknown;
  auto fragment = percent_decoded_leniently(std::string_view{in.keyword.text}.substr(1));
  const json_node* target = nullptr;
  if (fragment.empty() || fragment.front() == '/')
    target = resolve(fragment);
  else if (auto named = anchors_.find(fragment); named != anchors_.end())
    target = named->second;
  return target ? check(*target, in.value) : verdict::unknown;
}

std::string schema_check::place() const {
  std::string pointer;
  for (const auto& each : path_)
    pointer += "/" + (each.key ? escaped(*each.key) : std::to_string(each.index));
  return pointer.empty() ? "the value" : pointer;
}

std::string schema_mismatch(std::string_view schema, std::string_view value) {
  auto rules = read_json_tree(schema, schema_check::max_steps);
  auto tree = read_json_tree(value, schema_check::max_steps);
  if (!rules || !tree)
    return {};
  schema_check against{*rules};
  return against.check(*tree) == verdict::no ? against.message() : std::string{};
}

} // namespace troupe

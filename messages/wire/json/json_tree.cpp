#include "messages/wire/json/json_tree.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <utility>

#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Mixes the bits of a hash (splitmix64), so that sums and chains of hashes do not cancel out.
uint64_t mixed(uint64_t bits) {
  bits += 0x9E3779B97F4A7C15;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  return bits ^ (bits >> 31);
}

uint64_t hash_of(std::string_view text) {
  return std::hash<std::string_view>{}(text);
}

uint64_t hash_of_number(const json_node& value) {
  auto number = wide_number(value);
  return number == number ? std::hash<long double>{}(number) : hash_of(value.text);
}

uint64_t hash_of_scalar(const json_node& value) {
  auto bits = value.kind == json_kind::number ? hash_of_number(value) : hash_of(value.text);
  return mixed(bits + static_cast<uint64_t>(value.kind));
}

/// Reads a text depth first; json_source bounds the depth.
class tree_reader {
public:
  explicit tree_reader(size_t max_nodes) : left_{max_nodes} {}

  bool read(json_value value, json_node& out);
  bool read_scalar(std::string_view slice, json_node& out);

  /// Return visitors that read the elements or members of a container into `out`.
  element_visitor elements_of(json_node& out);
  member_visitor members_of(json_node& out);

private:
  bool take() { return left_ > 0 && left_-- > 0; }

  size_t left_;
};

bool tree_reader::read_scalar(std::string_view slice, json_node& out) {
  out.kind = kind_of(slice);
  out.text = out.kind == json_kind::string ? json_string(slice) : std::string{slice};
  out.hash = hash_of_scalar(out);
  return out.kind != json_kind::absent;
}

element_visitor tree_reader::elements_of(json_node& out) {
  out.kind = json_kind::array;
  out.hash = mixed(1);
  return [this, &out](json_value value) {
    if (!take() || !read(value, out.children.emplace_back()))
      return false;
    out.hash = mixed(out.hash ^ out.children.back().hash);
    return true;
  };
}

member_visitor tree_reader::members_of(json_node& out) {
  out.kind = json_kind::object;
  out.hash = mixed(2);
  return [this, &out](std::string_view key, json_value value) {
    if (!take())
      return false;
    auto& member = out.children.emplace_back();
    member.key = key;
    if (!read(value, member))
      return false;
    out.hash += mixed(member.hash ^ mixed(hash_of(key))); // the order of members means nothing
    return true;
  };
}

bool tree_reader::read(json_value value, json_node& out) {
  if (value.kind() == json_kind::object)
    return value.for_each_member(members_of(out));
  if (value.kind() == json_kind::array)
    return value.for_each_element(elements_of(out));
  return read_scalar(value, out);
}

} // namespace

const json_node* json_node::find(std::string_view name) const {
  auto found = std::find_if(children.rbegin(), children.rend(),
                            [name](const json_node& child) { return child.key == name; });
  return kind == json_kind::object && found != children.rend() ? &*found : nullptr;
}

std::optional<json_node> read_json_tree(std::string_view text, size_t max_nodes) {
  json_source source{text};
  tree_reader reader{max_nodes};
  std::optional<json_node> root{std::in_place};
  auto whole = false;
  if (kind_of(source.root()) == json_kind::object)
    whole = for_each_member(source.root(), reader.members_of(*root));
  else if (kind_of(source.root()) == json_kind::array)
    whole = for_each_element(source.root(), reader.elements_of(*root));
  else
    whole = reader.read_scalar(source.root(), *root);
  return whole ? std::move(root) : std::nullopt;
}

json_node make_string_node(std::string text) {
  json_node node;
  node.kind = json_kind::string;
  node.text = std::move(text);
  node.hash = hash_of_scalar(node);
  return node;
}

json_node* member_of(json_node& object, std::string_view key) {
  return const_cast<json_node*>(object.find(key));
}

bool remove_member(json_node& object, std::string_view key) {
  return std::erase_if(object.children, [key](const auto& each) { return each.key == key; }) > 0;
}

void set_member(json_node& object, std::string_view key, json_node value) {
  value.key = key;
  if (auto* known = member_of(object, key))
    *known = std::move(value);
  else
    object.children.push_back(std::move(value));
}

json_node empty_node(json_kind kind) {
  json_node made;
  made.kind = kind;
  return made;
}

void append_json(json_buffer& out, const json_node& node) {
  if (node.kind == json_kind::string)
    return append_json(out, node.text);
  if (node.kind != json_kind::object && node.kind != json_kind::array)
    return append_raw(out, node.text);
  const auto is_object = node.kind == json_kind::object;
  out.push_back(is_object ? '{' : '[');
  for (const auto& each : node.children) {
    if (&each != &node.children.front())
      out.push_back(',');
    if (is_object) {
      append_json(out, each.key);
      out.push_back(':');
    }
    append_json(out, each);
  }
  out.push_back(is_object ? '}' : ']');
}

long double wide_number(const json_node& value) {
  constexpr auto none = std::numeric_limits<long double>::quiet_NaN();
  long double number = 0;
  if (value.kind != json_kind::number)
    return none;
  const auto* end = value.text.data() + value.text.size();
  auto result = std::from_chars(value.text.data(), end, number);
  return result.ec == std::errc{} ? number : none;
}

} // namespace troupe

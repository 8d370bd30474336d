#include <algorithm>
#include <array>
#include <cmath>

#include "messages/wire/json/json_schema_check.hpp"

namespace troupe {

namespace {

std::string_view name_of(json_kind kind) {
  switch (kind) {
  case json_kind::object:
    return "object";
  case json_kind::array:
    return "array";
  case json_kind::string:
    return "string";
  case json_kind::number:
    return "number";
  case json_kind::boolean:
    return "boolean";
  default:
    return "null";
  }
}

constexpr std::array<std::string_view, 7> types{"object",  "array",   "string", "number",
                                                "integer", "boolean", "null"};

/// Says whether a value is of a type; unknown if JSON has no such type.
verdict is_of_type(const json_node& value, std::string_view type) {
  if (std::find(types.begin(), types.end(), type) == types.end())
    return verdict::unknown;
  if (type != "integer" || value.kind != json_kind::number)
    return type == name_of(value.kind) ? verdict::yes : verdict::no;
  auto number = wide_number(value);
  return std::isnan(number) || number == std::floor(number) ? verdict::yes : verdict::no;
}

/// A keyword that bounds a number, or how many characters, elements or members there are.
struct bound_row {
  std::string_view keyword;
  json_kind kind; ///< of the values that it applies to
  bool is_least;
  bool is_open; ///< the bound itself is outside
  std::string_view text;
};

constexpr std::array bounds{
    bound_row{"minimum", json_kind::number, true, false, "must be at least {}"},
    bound_row{"maximum", json_kind::number, false, false, "must be at most {}"},
    bound_row{"exclusiveMinimum", json_kind::number, true, true, "must be above {}"},
    bound_row{"exclusiveMaximum", json_kind::number, false, true, "must be below {}"},
    bound_row{"minLength", json_kind::string, true, false, "must have at least {} characters"},
    bound_row{"maxLength", json_kind::string, false, false, "must have at most {} characters"},
    bound_row{"minItems", json_kind::array, true, false, "must have at least {} elements"},
    bound_row{"maxItems", json_kind::array, false, false, "must have at most {} elements"},
    bound_row{"minProperties", json_kind::object, true, false, "must have at least {} members"},
    bound_row{"maxProperties", json_kind::object, false, false, "must have at most {} members"},
};

/// Returns the number of code points.
size_t length_of(std::string_view utf8) {
  return static_cast<size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

long double measure(const json_node& value) {
  if (value.kind == json_kind::number)
    return wide_number(value);
  return static_cast<long double>(value.kind == json_kind::string ? length_of(value.text)
                                                                  : value.children.size());
}

} // namespace

verdict schema_check::type(const operands& in) {
  if (in.keyword.kind != json_kind::string && in.keyword.kind != json_kind::array)
    return verdict::unknown;
  auto wanted = in.keyword.text;
  auto found = wanted.empty() ? verdict::no : is_of_type(in.value, wanted);
  for (const auto& each : in.keyword.children) {
    found = std::max(found, is_of_type(in.value, each.text));
    wanted += (wanted.empty() ? "" : " or ") + each.text;
  }
  return found == verdict::no ? fail(" must be of type {}", wanted) : found;
}

verdict schema_check::enumeration(const operands& in) {
  if (in.keyword.kind != json_kind::array || !spend(in.keyword.children.size()))
    return verdict::unknown;
  for (const auto& each : in.keyword.children)
    if (equal(each, in.value))
      return verdict::yes;
  return left_ == 0 ? verdict::unknown : fail(" must be one of the values of its enum");
}

verdict schema_check::constant(const operands& in) {
  if (equal(in.keyword, in.value))
    return verdict::yes;
  return left_ == 0 ? verdict::unknown : fail(" must be the value of its const");
}

verdict schema_check::bound(const operands& in) {
  constexpr size_t bytes_per_step = 256;
  const auto* found = std::find_if(bounds.begin(), bounds.end(), [&](const bound_row& each) {
    return each.keyword == in.keyword.key;
  });
  auto limit = wide_number(in.keyword);
  if (found->kind != in.value.kind)
    return verdict::yes;
  if (!spend(in.value.text.size() / bytes_per_step))
    return verdict::unknown;
  auto size = measure(in.value);
  if (std::isnan(limit) || std::isnan(size))
    return verdict::unknown;
  auto outside = found->is_least ? size < limit : size > limit;
  if (!outside && !(found->is_open && size == limit))
    return verdict::yes;
  return fail(" {}", fmt::format(fmt::runtime(found->text), in.keyword.text));
}

verdict schema_check::multiple_of(const operands& in) {
  if (in.value.kind != json_kind::number)
    return verdict::yes;
  auto factor = wide_number(in.keyword);
  auto number = wide_number(in.value);
  auto quotient = number / factor;
  if (!std::isfinite(quotient) || !(factor > 0))
    return verdict::unknown;
  // Decimal fractions are not exact in binary: 0.3 is to be a multiple of 0.1.
  constexpr long double tolerance = 1e-12L;
  auto is_whole = factor == std::floor(factor);
  auto rest = is_whole ? std::fmod(number, factor) : std::abs(quotient - std::round(quotient));
  return std::abs(rest) <= (is_whole ? 0 : tolerance * std::max(1.0L, std::abs(quotient)))
             ? verdict::yes
             : fail(" must be a multiple of {}", in.keyword.text);
}

bool schema_check::equal(const json_node& a, const json_node& b) {
  if (a.hash != b.hash || a.kind != b.kind || a.children.size() != b.children.size() || !spend())
    return false;
  if (a.kind == json_kind::number)
    return wide_number(a) == wide_number(b) || a.text == b.text;
  if (a.text != b.text)
    return false;
  for (size_t i = 0; i < a.children.size(); ++i) {
    const auto& child = a.children[i];
    const auto* other = a.kind == json_kind::object ? member(b, child.key) : &b.children[i];
    if (!other || !equal(child, *other))
      return false;
  }
  return true;
}

verdict schema_check::unique(const operands& in) {
  if (!in.keyword.is(true) || in.value.kind != json_kind::array)
    return verdict::yes;
  if (!spend(in.value.children.size()))
    return verdict::unknown;
  std::vector<const json_node*> sorted;
  for (const auto& each : in.value.children)
    sorted.push_back(&each);
  std::sort(sorted.begin(), sorted.end(),
            [](const json_node* a, const json_node* b) { return a->hash < b->hash; });
  auto twice =
      std::adjacent_find(sorted.begin(), sorted.end(),
                         [this](const json_node* a, const json_node* b) { return equal(*a, *b); });
  if (twice != sorted.end())
    return fail(" must not have two equal elements");
  return left_ == 0 ? verdict::unknown : verdict::yes;
}

verdict schema_check::require_names(const json_node& wanted, const json_node& value) {
  for (const auto& each : wanted.children) {
    const auto* found = member(value, each.text);
    if (left_ == 0)
      return verdict::unknown;
    if (!found && each.kind == json_kind::string)
      return fail(" must have \"{}\"", each.text);
  }
  return verdict::yes;
}

verdict schema_check::required(const operands& in) {
  auto applies = in.value.kind == json_kind::object && in.keyword.kind == json_kind::array;
  return applies ? require_names(in.keyword, in.value) : verdict::yes;
}

verdict schema_check::dependent(const operands& in) {
  auto found = verdict::yes;
  if (in.value.kind != json_kind::object)
    return found;
  for (const auto& each : in.keyword.children)
    if (member(in.value, each.key))
      found = std::min(found, require_names(each, in.value));
  return left_ == 0 ? std::min(found, verdict::unknown) : found;
}

verdict schema_check::unread_of_string(const operands& in) {
  return in.value.kind == json_kind::string ? verdict::unknown : verdict::yes;
}

verdict schema_check::unread_of_object(const operands& in) {
  return in.value.kind == json_kind::object ? verdict::unknown : verdict::yes;
}

verdict schema_check::unread_of_array(const operands& in) {
  return in.value.kind == json_kind::array ? verdict::unknown : verdict::yes;
}

verdict schema_check::unread(const operands&) {
  return verdict::unknown;
}

} // namespace troupe

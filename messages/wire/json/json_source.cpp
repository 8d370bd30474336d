#include "messages/wire/json/json_source.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <vector>

#include <simdjson.h>

#include "messages/wire/json/json_check.hpp"

namespace troupe {

namespace {

namespace ondemand = simdjson::ondemand;

static_assert(json_padding >= simdjson::SIMDJSON_PADDING);

constexpr std::string_view space = " \t\r\n";
constexpr size_t least_parser_bytes = 1024;
constexpr size_t kept_parser_bytes = size_t{16} * 1024; ///< larger ones are given back after use
constexpr size_t most_kept_parsers =
    64; ///< of a thread; as many levels of a text are walked at once

/// Lends a parser to one walk. Walks are nested, so a thread keeps several parsers: making one
/// costs more than reading a small text.
class parser_lease {
public:
  explicit parser_lease(size_t bytes) {
    if (!idle().empty()) {
      parser_ = std::move(idle().back());
      idle().pop_back();
    } else {
      parser_ = std::make_unique<ondemand::parser>();
    }
    // Without this the parser allocates again for each text that is longer than all texts before.
    if (parser_->capacity() < bytes &&
        parser_->allocate(std::bit_ceil(std::max(bytes, least_parser_bytes))))
      throw std::bad_alloc{}; // a walk that finds nothing would be an absence in the data
  }
  ~parser_lease() {
    auto& kept = idle();
    if (parser_->capacity() <= kept_parser_bytes && kept.size() < kept.capacity())
      kept.push_back(std::move(parser_)); // without an allocation, which could fail
  }
  parser_lease(const parser_lease&) = delete;
  parser_lease& operator=(const parser_lease&) = delete;

  /// Begins to read a slice.
  simdjson::simdjson_result<ondemand::document> open(std::string_view slice) {
    return parser_->iterate(slice.data(), slice.size(), slice.size() + json_padding);
  }

private:
  static std::vector<std::unique_ptr<ondemand::parser>>& idle() {
    thread_local auto parsers = [] {
      std::vector<std::unique_ptr<ondemand::parser>> out;
      out.reserve(most_kept_parsers);
      return out;
    }();
    return parsers;
  }

  std::unique_ptr<ondemand::parser> parser_;
};

/// The value behind a json_value.
struct step {
  ondemand::value& value;
  const char* end;     ///< of the text
  bool broken = false; ///< the text ends inside the value

  /// Returns the token that the value begins with, and the space after it; "" if there is none.
  /// In a text whose brackets do not match a value may stand after the last token, where simdjson
  /// has no length for it.
  std::string_view token() const {
    const auto found = value.raw_json_token();
    const auto inside =
        found.data() < end && found.size() <= static_cast<size_t>(end - found.data());
    return inside ? found : std::string_view{};
  }
};

const char* end_of(std::string_view text) {
  return text.data() + text.size();
}

step& step_at(void* value) {
  return *static_cast<step*>(value);
}

/// Returns the key. A key that cannot be unescaped (a lone surrogate) is never one that callers
/// look for.
std::string_view key_of(ondemand::field& field) {
  const char* first = field.key().raw();
  const char* last = field.value().raw_json_token().data();
  if (last <= first) // after the last token
    return {};
  while (last > first && *--last != '"') // the colon and space
    continue;
  std::string_view key{first, static_cast<size_t>(last - first)};
  bool escaped = key.find('\\') != std::string_view::npos;
  return escaped && field.unescaped_key().get(key) ? std::string_view{} : key;
}

/// How a walk ended: at the end, by its visitor, or where the text breaks off.
enum class walked : uint8_t { whole, stopped, broken };

/// @param end of the text
walked walk(ondemand::object members, const char* end, const member_visitor& visit) {
  for (auto member : members) {
    if (member.error())
      return walked::broken;
    // No copy: that would cost more than the visit.
    auto&& field = std::forward<decltype(member)>(member).value_unsafe();
    step at{field.value(), end};
    auto goes_on = visit(key_of(field), json_value{&at});
    if (at.broken || !goes_on)
      return at.broken ? walked::broken : walked::stopped;
  }
  return walked::whole;
}

walked walk(ondemand::array elements, const char* end, const element_visitor& visit) {
  for (auto element : elements) {
    if (element.error())
      return walked::broken;
    auto&& value = std::forward<decltype(element)>(element).value_unsafe();
    step at{value, end};
    auto goes_on = visit(json_value{&at});
    if (at.broken || !goes_on)
      return at.broken ? walked::broken : walked::stopped;
  }
  return walked::whole;
}

/// Stores the value if `wanted` lists the key; else returns false.
bool put(std::string_view key, json_value value, std::initializer_list<json_member> wanted) {
  auto found = std::find_if(wanted.begin(), wanted.end(),
                            [key](const json_member& member) { return member.key == key; });
  if (found == wanted.end())
    return false;
  *found->value = value;
  return true;
}

} // namespace

json_source::json_source(std::string_view text) : json_source{text, json_fault(text)} {}

json_source::json_source(std::string_view text, std::string fault) : fault_{std::move(fault)} {
  auto first = text.find_first_not_of(space);
  if (!fault_.empty() || first == std::string_view::npos)
    return;
  bytes_.reserve(text.size() + json_padding);
  bytes_.append(text);
  bytes_.append(json_padding, ' ');
  root_ = std::string_view{bytes_}.substr(first, text.find_last_not_of(space) - first + 1);
}

json_source::json_source(std::string text, taken)
    : bytes_{std::move(text)}, fault_{json_fault(bytes_)} {
  const auto first = bytes_.find_first_not_of(space);
  if (!fault_.empty() || first == std::string::npos)
    return;
  const auto size = bytes_.find_last_not_of(space) - first + 1;
  bytes_.append(json_padding, ' ');
  root_ = std::string_view{bytes_}.substr(first, size);
}

json_kind json_value::kind() const {
  return kind_of(step_at(value_).token());
}

json_value::operator std::string_view() const {
  auto& at = step_at(value_);
  auto slice = at.token();
  at.broken = slice.empty();
  if (slice.starts_with('{') || slice.starts_with('['))
    at.broken = simdjson::to_json_string(at.value).get(slice) != simdjson::SUCCESS ||
                slice.data() > at.end || slice.size() > static_cast<size_t>(at.end - slice.data());
  return at.broken ? std::string_view{} : slice.substr(0, slice.find_last_not_of(space) + 1);
}

bool json_value::for_each_member(const member_visitor& visit) const {
  if (kind() != json_kind::object)
    return false;
  auto& at = step_at(value_);
  ondemand::object members;
  auto end = at.value.get_object().get(members) ? walked::broken : walk(members, at.end, visit);
  at.broken = end == walked::broken;
  return end == walked::whole;
}

bool json_value::for_each_element(const element_visitor& visit) const {
  if (kind() != json_kind::array)
    return false;
  auto& at = step_at(value_);
  ondemand::array elements;
  auto end = at.value.get_array().get(elements) ? walked::broken : walk(elements, at.end, visit);
  at.broken = end == walked::broken;
  return end == walked::whole;
}

bool for_each_member(std::string_view object, const member_visitor& visit) {
  if (kind_of(object) != json_kind::object)
    return false;
  parser_lease lease{object.size()};
  ondemand::document document;
  ondemand::object members;
  return !lease.open(object).get(document) && !document.get_object().get(members) &&
         walk(members, end_of(object), visit) == walked::whole;
}

bool for_each_member(std::string_view text, const member_visitor& visit, std::string_view& behind) {
  behind = {};
  if (kind_of(text) != json_kind::object)
    return false;
  parser_lease lease{text.size()};
  ondemand::document document;
  ondemand::object members;
  if (lease.open(text).get(document) || document.get_object().get(members) ||
      walk(members, end_of(text), visit) != walked::whole)
    return false;
  const char* next = nullptr;
  if (document.current_location().get(next) == simdjson::SUCCESS)
    behind = text.substr(static_cast<size_t>(next - text.data()));
  return true;
}

bool for_each_element(std::string_view array, const element_visitor& visit) {
  if (kind_of(array) != json_kind::array)
    return false;
  parser_lease lease{array.size()};
  ondemand::document document;
  ondemand::array elements;
  return !lease.open(array).get(document) && !document.get_array().get(elements) &&
         walk(elements, end_of(array), visit) == walked::whole;
}

void read_members(std::string_view object, std::initializer_list<json_member> wanted) {
  for_each_member(object, [wanted](std::string_view key, json_value value) {
    put(key, value, wanted);
    return true;
  });
}

void read_members(json_value object, std::initializer_list<json_member> wanted) {
  object.for_each_member([wanted](std::string_view key, json_value value) {
    put(key, value, wanted);
    return true;
  });
}

std::optional<std::string> read_only_members(std::string_view object,
                                             std::initializer_list<json_member> known) {
  std::optional<std::string> unknown;
  for_each_member(object, [&unknown, &known](std::string_view key, json_value value) {
    if (!put(key, value, known) && !unknown)
      unknown.emplace(key);
    return true;
  });
  return unknown;
}

} // namespace troupe

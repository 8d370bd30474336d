#include "messages/wire/provider/call_repairs.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_slice.hpp"
#include "messages/wire/json/json_tree.hpp"
#include "messages/wire/json/loose_json.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"

namespace troupe {

namespace {

/// THE table of what is repaired, in the order of `call_repair`.
constexpr std::array<std::string_view, 13> repair_names{"space around the name",
                                                        "marks around the name",
                                                        "prefix of the name",
                                                        "case of the name",
                                                        "no arguments",
                                                        "encoded again",
                                                        "repeated",
                                                        "text around",
                                                        "raw controls",
                                                        "single quotes",
                                                        "Python words",
                                                        "trailing comma",
                                                        "lone half"};
static_assert(repair_names.size() == static_cast<size_t>(call_repair::lone_half) + 1);

constexpr std::string_view json_space = " \t\r\n";
constexpr int max_encodings = 3;      ///< strings around the object
constexpr size_t max_nodes = 100'000; ///< of objects that are compared by value

std::string_view trimmed(std::string_view text, std::string_view what) {
  auto first = text.find_first_not_of(what);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(what) - first + 1);
}

// -- names ----------------------------------------------------------------------------------------

char folded(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c == '-' ? '_' : c;
}

bool same_folded(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, folded, folded);
}

/// Takes away blanks, also those of Unicode: U+00A0, U+3000, U+200B and the BOM.
std::string_view without_space(std::string_view name) {
  static constexpr std::array<std::string_view, 4> wide{"\xC2\xA0", "\xE3\x80\x80", "\xE2\x80\x8B",
                                                        "\xEF\xBB\xBF"};
  for (size_t before = name.size() + 1; name.size() < before;) {
    before = name.size();
    while (!name.empty() && static_cast<unsigned char>(name.front()) <= 0x20)
      name.remove_prefix(1);
    while (!name.empty() && static_cast<unsigned char>(name.back()) <= 0x20)
      name.remove_suffix(1);
    for (auto each : wide) {
      if (name.starts_with(each))
        name.remove_prefix(each.size());
      if (name.ends_with(each))
        name.remove_suffix(each.size());
    }
  }
  return name;
}

/// Takes away quotes, "()", the count of "name:0", and tokens of chat templates
/// ("name<|channel|>commentary").
std::string_view without_marks(std::string_view name) {
  if (auto token = name.find("<|"); token != std::string_view::npos && token > 0)
    name = without_space(name.substr(0, token));
  name = without_space(trimmed(name, "\"'`"));
  if (name.ends_with("()"))
    name.remove_suffix(2);
  auto digits = name.find_last_not_of("0123456789");
  if (digits != std::string_view::npos && digits > 0 && digits + 1 < name.size() &&
      name[digits] == ':')
    name = name.substr(0, digits);
  return name;
}

/// Takes away the namespace in which templates and gateways show tools to a model.
std::string_view without_prefix(std::string_view name) {
  static constexpr std::array<std::string_view, 5> spaces{"functions", "function", "tools", "tool",
                                                          "default_api"};
  auto end = name.find_first_of(".:/");
  if (end == std::string_view::npos)
    return name;
  auto space = name.substr(0, end);
  auto known = std::ranges::any_of(
      spaces, [space](std::string_view each) { return same_folded(each, space); });
  return known ? trimmed(name.substr(end), ".:/ ") : name;
}

const tool_definition* only_folded(std::string_view name, const tool_set& tools) {
  const tool_definition* found = nullptr;
  for (const auto& each : tools.tools) {
    if (!same_folded(each.name, name))
      continue;
    if (found != nullptr)
      return nullptr;
    found = &each;
  }
  return found;
}

/// The rows about names, in the order in which they are tried, each on top of those before it.
struct name_row {
  call_repair which;
  std::string_view (*without)(std::string_view);
};
constexpr std::array name_rows{name_row{call_repair::name_space, without_space},
                               name_row{call_repair::name_marks, without_marks},
                               name_row{call_repair::name_prefix, without_prefix}};

// -- arguments ------------------------------------------------------------------------------------

/// Reads one text of arguments. What was repaired counts only if there is a reading.
class argument_reader {
public:
  /// @param encodings how many strings the text was taken out of
  bool read(std::string_view text, int encodings) {
    text = trimmed(text, json_space);
    if (is_json_object(text)) {
      json = text;
      return true;
    }
    if (is_nothing_at_all(text, encodings)) {
      json = "{}";
      how.add(call_repair::no_arguments);
      return true;
    }
    if (auto inner = encodings < max_encodings ? decoded(text) : std::nullopt) {
      how.add(call_repair::encoded_again);
      return read(*inner, encodings + 1);
    }
    if (text.size() > 1 && text.starts_with('"') && text.ends_with('"')) // quotes without escapes
      return read_among_words(text.substr(1, text.size() - 2), true);
    return read_among_words(text, false);
  }

  std::string json;
  call_repairs how;

private:
  /// Returns whether the text says that there are no arguments. "[]" is the empty map of PHP.
  static bool is_nothing_at_all(std::string_view text, int encodings) {
    return text == "null" || text == "None" || text == "[]" || (text.empty() && encodings > 0);
  }

  /// Returns the text of a JSON string, which may have raw line breaks in it, or of one whose
  /// quotes are lost: {\"a\":1}.
  std::optional<std::string> decoded(std::string_view text) {
    auto is_string = text.size() > 1 && text.starts_with('"') && text.ends_with('"');
    auto is_inside = text.starts_with('{') &&
                     text.substr(std::min(text.find_first_not_of(json_space, 1), text.size()))
                         .starts_with("\\\"");
    if (!is_string && !is_inside)
      return std::nullopt;
    auto inside = is_string ? text.substr(1, text.size() - 2) : text;
    // The loose reader escapes the raw line breaks. A text that ends the string early is none.
    auto read = read_loose_object("{\"\":\"" + std::string{inside} + "\"}");
    if (!read || read->bytes != inside.size() + 7)
      return std::nullopt;
    auto literal = std::string_view{read->json}.substr(4, read->json.size() - 5);
    if (!json_fault(literal).empty())
      return std::nullopt;
    mark(read->marks);
    return json_string(literal);
  }

  /// Reads a text of words with one object among them, which may be repeated.
  /// @param any_words whether something that is no part of the object was taken away already
  bool read_among_words(std::string_view text, bool any_words) {
    size_t objects = 0;
    for (size_t at = 0;;) {
      auto open = std::min(text.find('{', at), text.size());
      auto words = trimmed(text.substr(at, open - at), json_space);
      if (!may_be_words(words, objects > 0))
        return false;
      any_words = any_words || !words.empty();
      if (open == text.size())
        break;
      auto next = read_loose_object(text.substr(open));
      if (!next || !take(*next))
        return false;
      at = open + next->bytes;
      ++objects;
    }
    if (any_words)
      how.add(call_repair::text_around);
    return objects > 0;
  }

  /// Returns whether the text is certainly no JSON that belongs to the object beside it.
  static bool may_be_words(std::string_view words, bool behind_object) {
    auto has_json = words.find_first_of("{}[]\"") != std::string_view::npos;
    auto goes_on = behind_object && (words.starts_with(',') || words.starts_with(':'));
    return !has_json && !goes_on;
  }

  /// Takes one more object; false if it is another one than before.
  bool take(loose_object& next) {
    mark(next.marks);
    if (!json.empty())
      how.add(call_repair::repeated);
    if (!json.empty() && !is_empty(json))
      return same_value(json, next.json);
    json = std::move(next.json); // some gateways begin each call with an empty object
    return true;
  }

  void mark(const loose_marks& marks) {
    if (marks.raw_controls)
      how.add(call_repair::raw_controls);
    if (marks.single_quotes)
      how.add(call_repair::single_quotes);
    if (marks.python_words)
      how.add(call_repair::python_words);
    if (marks.trailing_comma)
      how.add(call_repair::trailing_comma);
  }

  static bool is_empty(std::string_view object) {
    return trimmed(object.substr(1, object.size() - 2), json_space).empty();
  }

  static bool same_value(std::string_view a, std::string_view b) {
    if (a == b)
      return true;
    auto left = read_json_tree(a, max_nodes);
    auto right = read_json_tree(b, max_nodes);
    return left && right && left->hash == right->hash;
  }
};

} // namespace

std::string call_repairs::text() const {
  std::string out;
  for (size_t i = 0; i < repair_names.size(); ++i)
    if (has(static_cast<call_repair>(i)))
      out.append(out.empty() ? "" : ", ").append(repair_names[i]);
  return out;
}

const tool_definition* matching_tool(std::string_view name, const tool_set& tools,
                                     call_repairs& how) {
  const auto* found = tools.find(name);
  if (found != nullptr)
    return found;
  call_repairs tried;
  for (const auto& row : name_rows) {
    auto rest = row.without(name);
    if (rest.empty() || rest == name)
      continue;
    name = rest;
    tried.add(row.which);
    found = tools.find(name);
    if (found != nullptr)
      break;
  }
  if (found == nullptr && (found = only_folded(name, tools)) != nullptr)
    tried.add(call_repair::name_case);
  if (found != nullptr)
    how.add(tried);
  return found;
}

bool repair_arguments(std::string& arguments, call_repairs& how) {
  if (!is_json_object(arguments)) {
    argument_reader reader;
    if (!reader.read(arguments, 0))
      return false;
    arguments = std::move(reader.json);
    how.add(reader.how);
  }
  if (replace_lone_halves(arguments))
    how.add(call_repair::lone_half);
  return true;
}

} // namespace troupe

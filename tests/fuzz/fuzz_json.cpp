// JSON of others: the check, the walk, the tree and a second parser agree on every text, and what
// is written is what was read.
#include <cmath>
#include <cstdlib>
#include <string>

#include <simdjson.h>

#include "messages/json.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_slice.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/json/json_tree.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"

using namespace troupe;

namespace {

/// simdjson refuses numbers and lone surrogates that we take; all else must be the same.
void compare_parsers(std::string_view text, bool valid) {
  static simdjson::dom::parser parser{1 << 20};
  simdjson::dom::element root;
  const auto error = parser.parse(text.data(), text.size()).get(root);
  if (error == simdjson::SUCCESS)
    require(valid, "what another parser takes is valid");
  else if (error != simdjson::NUMBER_ERROR && error != simdjson::STRING_ERROR &&
           error != simdjson::DEPTH_ERROR)
    require(!valid, "what another parser refuses is not valid");
}

void check_string(std::string_view slice) {
  const auto text = json_string(slice);
  require(holds_utf8(text), "a string is UTF-8");
  require(json_string(to_json(text)) == text, "a string comes back as it was");
}

void check_number(std::string_view slice) {
  const auto number = number_of(slice);
  require(std::isfinite(number), "a number is finite");
  const auto whole = integer_of(slice);
  const auto as_double = std::strtod(std::string{slice}.c_str(), nullptr); // as JavaScript reads it
  require(!whole || static_cast<double>(*whole) == as_double, "an integer is the number");
  constexpr double exact = 9007199254740992.0; // 2^53; zero may be a number that is too small
  require(whole || std::fabs(as_double) > exact || std::floor(as_double) != as_double ||
              as_double == 0,
          "a whole number is an integer");
  require(id_of(slice) == whole, "an id is an integer");
}

void check_value(std::string_view slice, const json_node& node);

void check_members(std::string_view slice, const json_node& node) {
  size_t index = 0;
  const auto whole = for_each_member(slice, [&](std::string_view key, std::string_view value) {
    require(index < node.children.size() && node.children[index].key == key, "keys agree");
    check_value(value, node.children[index++]);
    return true;
  });
  require(whole && index == node.children.size(), "the walk and the tree have the same members");
}

void check_elements(std::string_view slice, const json_node& node) {
  size_t index = 0;
  const auto whole = for_each_element(slice, [&](std::string_view value) {
    require(index < node.children.size(), "elements agree");
    check_value(value, node.children[index++]);
    return true;
  });
  require(whole && index == node.children.size(), "the walk and the tree have the same elements");
}

/// Compares a slice with the same value in the tree.
void check_value(std::string_view slice, const json_node& node) {
  require(kind_of(slice) == node.kind, "kinds agree");
  if (node.kind == json_kind::object)
    check_members(slice, node);
  else if (node.kind == json_kind::array)
    check_elements(slice, node);
  else if (node.kind == json_kind::string)
    require(json_string(slice) == node.text, "strings agree");
  else
    require(slice == node.text, "other values stay as they stand");
  if (node.kind == json_kind::string)
    check_string(slice);
  if (node.kind == json_kind::number)
    check_number(slice);
}

/// The members that the check shows on its way are those of the walk.
void check_outer_members(std::string_view text, const json_source& source) {
  std::string shown, walked;
  require(json_fault(text,
                     [&](std::string_view key, std::string_view value) {
                       shown += json_string("\"" + std::string{key} + "\"") + "=" +
                                std::string{value} + ";";
                     })
              .empty(),
          "both checks agree");
  for_each_member(source.root(), [&](std::string_view key, std::string_view value) {
    walked += std::string{key} + "=" + std::string{value} + ";";
    return true;
  });
  // A key with half a character is shown as it stands, but nobody can look for it.
  require(shown == walked || shown.find(utf8_replacement) != std::string::npos,
          "both show the same members");
}

/// A text that breaks off is walked as far as it goes.
void walk_unchecked(std::string_view text) {
  const auto source = json_source::unchecked(text);
  const auto look = [](std::string_view, std::string_view value) {
    static_cast<void>(json_string(value));
    return true;
  };
  for_each_member(source.root(), look);
  for_each_element(source.root(), [&](std::string_view value) { return look({}, value); });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto text = text_of(data, size);
  const json_source source{text};
  const auto valid = source.fault().empty();
  require(valid == json_fault(text).empty(), "a source is checked");
  require(is_json_object(text) == (valid && kind_of(source.root()) == json_kind::object),
          "an object is one");
  if (source.fault().find("too deep") == std::string::npos)
    compare_parsers(text, valid);
  walk_unchecked(text);
  const auto tree = read_json_tree(text, size + 1);
  require(tree.has_value() == valid, "every valid text is a tree");
  if (valid) {
    check_value(source.root(), *tree);
    check_outer_members(text, source);
  }
  return 0;
}

#include "messages/wire/json_source.hpp"

#include <simdjson.h>

#include "messages/wire/json_check.hpp"

namespace troupe {

namespace {

namespace ondemand = simdjson::ondemand;

simdjson::padded_string_view padded(std::string_view slice) {
  return simdjson::padded_string_view{slice.data(), slice.size(),
                                      slice.size() + simdjson::SIMDJSON_PADDING};
}

template <class Result>
std::string_view text_of(Result&& value) {
  std::string_view text;
  return simdjson::to_json_string(std::forward<Result>(value)).get(text) ? std::string_view{}
                                                                         : text;
}

} // namespace

json_source::json_source(std::string_view text) : fault_{json_fault(text)} {
  if (!fault_.empty())
    return;
  bytes_.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  bytes_.append(text);
  bytes_.append(simdjson::SIMDJSON_PADDING, ' ');
  constexpr std::string_view space = " \t\r\n";
  auto first = text.find_first_not_of(space);
  root_ = std::string_view{bytes_}.substr(first, text.find_last_not_of(space) - first + 1);
}

void for_each_member(std::string_view object,
                     const std::function<void(std::string_view, std::string_view)>& visit) {
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object members;
  if (kind_of(object) != json_kind::object || parser.iterate(padded(object)).get(document) ||
      document.get_object().get(members))
    return;
  for (auto member : members) {
    std::string_view key;
    // A key that can not be unescaped (a lone surrogate) is none that anybody asks for.
    if (member.unescaped_key().get(key))
      key = {};
    visit(key, text_of(member.value()));
  }
}

void for_each_element(std::string_view array, const std::function<bool(std::string_view)>& visit) {
  ondemand::parser parser;
  ondemand::document document;
  ondemand::array elements;
  if (kind_of(array) != json_kind::array || parser.iterate(padded(array)).get(document) ||
      document.get_array().get(elements))
    return;
  for (auto element : elements)
    if (!visit(text_of(element)))
      return;
}

void read_members(std::string_view object, std::initializer_list<json_member> wanted) {
  read_only_members(object, wanted);
}

std::optional<std::string> read_only_members(std::string_view object,
                                             std::initializer_list<json_member> known) {
  std::optional<std::string> unknown;
  for_each_member(object, [&](std::string_view key, std::string_view value) {
    bool found = false;
    for (const auto& member : known)
      if (member.key == key) {
        *member.value = value;
        found = true;
      }
    if (!found && !unknown)
      unknown.emplace(key);
  });
  return unknown;
}

} // namespace troupe

#include "apps/engine/object_reader.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace troupe {

namespace {

/// Levenshtein's distance: how many characters to change, add or take away.
size_t distance(std::string_view from, std::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < from.size(); ++i) {
    auto diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < to.size(); ++j) {
      auto changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

} // namespace

object_reader::object_reader(element value, std::string path, failure& error)
    : path_(std::move(path)), error_(error) {
  if (value.get(object_) != simdjson::SUCCESS)
    fail("", "must be an object");
}

std::string object_reader::at(std::string_view key) const {
  if (key.empty())
    return path_.empty() ? "the configuration" : path_;
  return path_.empty() ? std::string{key} : fmt::format("{}.{}", path_, key);
}

void object_reader::fail(std::string_view key, const std::string& what) {
  if (!error_)
    error_ = {errc::config_invalid, at(key) + ' ' + what};
}

bool object_reader::find(std::string_view key, element& out) {
  known_.emplace_back(key);
  return !error_ && object_.at_key(key).get(out) == simdjson::SUCCESS;
}

bool object_reader::has(std::string_view key) const {
  return !error_ && object_.at_key(key).error() == simdjson::SUCCESS;
}

std::string object_reader::expand(std::string_view key, std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    auto open = text.find("${", i);
    auto close = open == std::string_view::npos ? open : text.find('}', open);
    out.append(text.substr(i, close == std::string_view::npos ? close : open - i));
    if (close == std::string_view::npos)
      break;
    std::string name{text.substr(open + 2, close - open - 2)};
    const char* value = std::getenv(name.c_str());
    if (value == nullptr)
      fail(key, fmt::format("uses ${{{}}}, which is not set in the environment", name));
    else
      out += value;
    i = close + 1;
  }
  return out;
}

void object_reader::read(std::string_view key, std::string& out) {
  element value;
  std::string_view text;
  if (!find(key, value))
    return;
  if (value.get(text) != simdjson::SUCCESS)
    return fail(key, "must be a string");
  out = expand(key, text);
}

void object_reader::read(std::string_view key, bool& out) {
  element value;
  if (find(key, value) && value.get(out) != simdjson::SUCCESS)
    fail(key, "must be true or false");
}

void object_reader::read_integer(std::string_view key, int64_t& out, int64_t least, int64_t most) {
  element value;
  if (!find(key, value))
    return;
  int64_t number = 0;
  if (value.get(number) != simdjson::SUCCESS || number < least || number > most)
    return fail(key, fmt::format("must be a whole number from {} to {}", least, most));
  out = number;
}

void object_reader::read(std::string_view key, std::chrono::milliseconds& out) {
  constexpr int64_t week = 7 * 24 * 3600 * 1000;
  int64_t count = out.count();
  read_integer(key, count, 0, week);
  out = std::chrono::milliseconds{count};
}

void object_reader::read(std::string_view key, std::vector<std::string>& out) {
  element value;
  simdjson::dom::array array;
  if (!find(key, value))
    return;
  if (value.get(array) != simdjson::SUCCESS)
    return fail(key, "must be an array of strings");
  out.clear();
  for (auto each : array) {
    std::string_view text;
    if (each.get(text) != simdjson::SUCCESS)
      return fail(key, "must be an array of strings");
    out.push_back(expand(key, text));
  }
}

void object_reader::read(std::string_view key, std::map<std::string, std::string>& out) {
  element value;
  simdjson::dom::object object;
  if (!find(key, value))
    return;
  if (value.get(object) != simdjson::SUCCESS)
    return fail(key, "must be an object of strings");
  out.clear();
  for (auto [name, each] : object) {
    std::string_view text;
    if (each.get(text) != simdjson::SUCCESS)
      return fail(key, "must be an object of strings");
    out[std::string{name}] = expand(key, text);
  }
}

void object_reader::read_object(std::string_view key,
                                const std::function<void(object_reader&)>& visit) {
  element value;
  if (!find(key, value))
    return;
  object_reader inner{value, at(key), error_};
  visit(inner);
  inner.finish();
}

void object_reader::read_objects(
    std::string_view key, const std::function<void(std::string_view, object_reader&)>& visit) {
  element value;
  simdjson::dom::object object;
  if (!find(key, value))
    return;
  if (value.get(object) != simdjson::SUCCESS)
    return fail(key, "must be an object");
  for (auto [name, each] : object) {
    object_reader inner{each, fmt::format("{}.{}", at(key), name), error_};
    visit(name, inner);
    inner.finish();
  }
}

void object_reader::finish() {
  if (error_ || known_.empty())
    return;
  for (auto [key, value] : object_) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end())
      continue;
    auto nearest =
        *std::min_element(known_.begin(), known_.end(), [name = key](const auto& a, const auto& b) {
          return distance(name, a) < distance(name, b);
        });
    return fail(key, "is not a known key; did you mean '" + nearest + "'?");
  }
}

} // namespace troupe

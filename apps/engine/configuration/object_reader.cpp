#include "apps/engine/configuration/object_reader.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

// -- variables ------------------------------------------------------------------------------------

namespace {

/// Variables in defaults of variables; deeper ones are text.
constexpr int max_depth = 8;
/// Longer names are cut in errors.
constexpr size_t max_name_bytes = 64;

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

/// Returns what editors put for a name, which are no variables of the environment.
std::optional<std::string> of_editors(std::string_view name) {
  std::error_code unknown;
  if (name == "userHome")
    return environment("HOME");
  if (name == "pathSeparator" || name == "/")
    return "/";
  if (name == "workspaceFolder" || name == "workspaceRoot" || name == "cwd")
    return std::filesystem::current_path(unknown).string();
  if (name == "workspaceFolderBasename")
    return std::filesystem::current_path(unknown).filename().string();
  return std::nullopt;
}

/// Returns where the variable that begins with the "${" at `open` ends: its '}', or npos.
size_t end_of_variable(std::string_view text, size_t open) {
  size_t depth = 0;
  for (auto i = open; i < text.size(); ++i) {
    if (text[i] == '$' && i + 1 < text.size() && text[i + 1] == '{')
      ++depth;
    else if (text[i] == '}' && --depth == 0)
      return i;
  }
  return text.npos;
}

std::string complaint_of(std::string_view written) {
  auto shown = fmt::format("uses ${{{}}}", utf8_prefix(written, max_name_bytes));
  if (written.starts_with("input:"))
    return shown + ", which an editor would ask for; set a variable of the environment and write "
                   "its name";
  return shown + ", which is not set in the environment";
}

expansion expand(std::string_view text, int depth);

/// @param written what stands between the braces
expansion value_of(std::string_view written, int depth) {
  constexpr std::string_view env = "env:";
  const auto cut = written.find(":-");
  auto name = std::string{written.substr(0, cut)};
  if (name.starts_with(env))
    name.erase(0, env.size());
  auto value = environment(name);
  if (!value)
    value = of_editors(name);
  if (value && (cut == written.npos || !value->empty()))
    return {std::move(*value), ""};
  if (cut != written.npos)
    return expand(written.substr(cut + 2), depth + 1);
  return {"", complaint_of(written)};
}

expansion expand(std::string_view text, int depth) {
  expansion out;
  for (size_t i = 0; i < text.size();) {
    const auto open = depth < max_depth ? text.find("${", i) : text.npos;
    const auto close = open == text.npos ? open : end_of_variable(text, open);
    out.text.append(text.substr(i, close == text.npos ? close : open - i));
    if (close == text.npos)
      break;
    auto value = value_of(text.substr(open + 2, close - open - 2), depth);
    out.text += value.text;
    if (out.lacking.empty())
      out.lacking = std::move(value.lacking);
    i = close + 1;
  }
  return out;
}

} // namespace

expansion expand_variables(std::string_view text) {
  return expand(text, 0);
}

// -- object reader --------------------------------------------------------------------------------

namespace {

/// People write `"PORT": 3000` where a string is wanted.
bool is_text(std::string_view value, bool of_people) {
  const auto kind = kind_of(value);
  return kind == json_kind::string ||
         (of_people && (kind == json_kind::number || kind == json_kind::boolean));
}

} // namespace

object_reader::object_reader(std::string_view value, std::string path, failure& error,
                             const reading_rules& rules)
    : path_(std::move(path)), error_(error), rules_(rules) {
  if (kind_of(value) != json_kind::object)
    fail("", "must be a JSON object");
  for_each_member(value, [this](std::string_view key, std::string_view member) {
    members_.emplace_back(key, member);
    return true;
  });
  if (rules_.of_people)
    refuse_repeated();
}

std::string object_reader::at(std::string_view key) const {
  if (key.empty())
    return path_.empty() ? std::string{rules_.root} : path_;
  return path_.empty() ? std::string{key} : fmt::format("{}.{}", path_, key);
}

void object_reader::fail(std::string_view key, const std::string& what) {
  if (!error_)
    error_ = {rules_.code, at(key) + ' ' + what};
}

std::string_view object_reader::find(std::string_view key) const {
  // The last one counts where a key is repeated, as in JavaScript.
  auto found = std::find_if(members_.rbegin(), members_.rend(),
                            [key](const auto& each) { return each.first == key; });
  return found == members_.rend() || is_nothing(found->second) ? std::string_view{} : found->second;
}

std::string_view object_reader::take(std::string_view key) {
  known_.emplace_back(key);
  return error_ ? std::string_view{} : find(key);
}

bool object_reader::has(std::string_view key) const {
  return !error_ && !find(key).empty();
}

json_kind object_reader::kind(std::string_view key) const {
  return kind_of(find(key));
}

void object_reader::note(std::string_view key, const std::string& what) const {
  if (rules_.notes != nullptr && !error_)
    rules_.notes->push_back(at(key) + ' ' + what);
}

std::string object_reader::expand(std::string_view key, std::string_view slice) {
  auto text = json_string(slice);
  if (text.find('\0') != text.npos)
    fail(key, "must not hold a NUL character");
  if (!rules_.environment)
    return text;
  auto [value, lacking] = expand_variables(text);
  if (!lacking.empty())
    lack(key, lacking);
  return value;
}

void object_reader::lack(std::string_view key, const std::string& what) {
  if (rules_.lacking == nullptr)
    fail(key, what);
  else if (rules_.lacking->empty())
    *rules_.lacking = at(key) + ' ' + what;
}

void object_reader::read(std::string_view key, std::string& out) {
  auto value = take(key);
  if (value.empty())
    return;
  if (kind_of(value) != json_kind::string)
    return fail(key, "must be a string");
  out = expand(key, value);
}

void object_reader::require(std::string_view key, std::string& out) {
  expect(key);
  read(key, out);
  if (has(key) && out.empty())
    fail(key, "must not be empty");
}

void object_reader::read(std::string_view key, bool& out) {
  auto value = take(key);
  if (value.empty())
    return;
  if (kind_of(value) != json_kind::boolean)
    return fail(key, "must be true or false");
  out = value.front() == 't';
}

void object_reader::read(std::string_view key, raw_json& out) {
  auto value = take(key);
  if (value.empty())
    return;
  if (kind_of(value) != json_kind::object)
    return fail(key, "must be an object");
  json_buffer line;
  append_expanded(line, key, value);
  keep_on_one_line(line, 0);
  out.text = view(line);
}

void object_reader::append_expanded(json_buffer& out, std::string_view key,
                                    std::string_view value) {
  const auto kind = kind_of(value);
  if (!rules_.environment || value.find("${") == value.npos)
    return append_raw(out, value); // as it is, to the digit
  if (kind == json_kind::string)
    return append_json(out, expand(key, value));
  std::string_view comma;
  out.push_back(kind == json_kind::object ? '{' : '[');
  const auto append = [&](std::string_view each) {
    append_expanded(out, key, each);
    comma = ",";
    return !error_;
  };
  if (kind == json_kind::object)
    for_each_member(value, [&](std::string_view name, std::string_view each) {
      append_raw(out, comma);
      append_json(out, name);
      out.push_back(':');
      return append(each);
    });
  else
    for_each_element(value, [&](std::string_view each) {
      append_raw(out, comma);
      return append(each);
    });
  out.push_back(kind == json_kind::object ? '}' : ']');
}

void object_reader::read_integer(std::string_view key, int64_t& out, int64_t least, int64_t most) {
  auto value = take(key);
  if (value.empty())
    return;
  auto number = integer_of(value);
  if (!number || *number < least || *number > most)
    return fail(key, fmt::format("must be a whole number from {} to {}", least, most));
  out = *number;
}

void object_reader::read(std::string_view key, std::chrono::milliseconds& out, int64_t least) {
  constexpr int64_t week = 7 * 24 * 3600 * 1000;
  int64_t count = out.count();
  read_integer(key, count, least, week);
  out = std::chrono::milliseconds{count};
}

void object_reader::read(std::string_view key, std::vector<std::string>& out) {
  std::vector<std::string> texts;
  read_elements(key, [&](std::string_view value, const std::string&) {
    if (!is_text(value, rules_.of_people))
      return fail(key, "must be an array of strings");
    texts.push_back(kind_of(value) == json_kind::string ? expand(key, value) : std::string{value});
  });
  if (has(key))
    out = std::move(texts);
}

void object_reader::read(std::string_view key, std::map<std::string, std::string>& out) {
  auto value = take(key);
  if (value.empty())
    return;
  if (kind_of(value) != json_kind::object)
    return fail(key, "must be an object of strings");
  out.clear();
  for_each_member(value, [&](std::string_view name, std::string_view each) {
    if (!is_text(each, rules_.of_people))
      fail(key, "must be an object of strings");
    else if (auto kept = std::string{name}; kind_of(each) == json_kind::string)
      out[kept] = expand(fmt::format("{}.{}", key, kept), each);
    else
      out[kept] = each;
    return !error_;
  });
}

object_reader object_reader::inside(std::string_view value, std::string path) {
  return {value, std::move(path), error_, rules_};
}

void object_reader::read_object(std::string_view key,
                                const std::function<void(object_reader&)>& visit) {
  auto value = take(key);
  if (value.empty())
    return;
  auto inner = inside(value, at(key));
  visit(inner);
  inner.finish();
}

void object_reader::read_objects(
    std::string_view key, const std::function<void(std::string_view, object_reader&)>& visit) {
  auto value = take(key);
  if (value.empty())
    return;
  if (kind_of(value) != json_kind::object)
    return fail(key, "must be an object with a key for each of them");
  inside(value, at(key)); // refuses names that stand twice
  for_each_member(value, [&](std::string_view name, std::string_view each) {
    auto kept = std::string{name}; // an escaped name is in a buffer that reading may reuse
    auto inner = inside(each, fmt::format("{}.{}", at(key), kept));
    if (!error_)
      visit(kept, inner);
    inner.finish();
    return !error_;
  });
}

void object_reader::read_elements(std::string_view key, const value_visitor& visit) {
  auto value = take(key);
  if (value.empty())
    return;
  if (kind_of(value) != json_kind::array)
    return fail(key, "must be an array");
  size_t index = 0;
  for_each_element(value, [&](std::string_view each) {
    visit(each, fmt::format("{}[{}]", at(key), index++));
    return !error_;
  });
}

} // namespace troupe

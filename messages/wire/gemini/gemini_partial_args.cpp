#include "messages/wire/gemini/gemini_partial_args.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Takes a name in quotes off the text after "[".
bool take_quoted(std::string_view& text, std::string& key) {
  const auto quote = text.front();
  for (size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] == quote) {
      const auto closed = text[at + 1] == ']';
      text.remove_prefix(at + 2);
      return closed;
    }
    if (text[at] == '\\')
      ++at;
    key.push_back(text[at]);
  }
  return false;
}

bool take_index(std::string_view& text, size_t& index) {
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, index);
  if (read.ec != std::errc{} || read.ptr == end || *read.ptr != ']')
    return false;
  text.remove_prefix(static_cast<size_t>(read.ptr - text.data()) + 1);
  return true;
}

/// Returns the inside of a JSON string; pieces of one string are joined as they are written, and so
/// are the halves of a character.
std::string_view inside(std::string_view literal) {
  return literal.size() < 2 ? std::string_view{} : literal.substr(1, literal.size() - 2);
}

} // namespace

bool gemini_partial_args::read_path(std::string_view text, path& out) {
  if (!text.starts_with('$'))
    return false;
  text.remove_prefix(1);
  while (!text.empty()) {
    auto& made = out.emplace_back();
    const auto is_dotted = text.front() == '.';
    if (out.size() > max_depth || (!is_dotted && text.front() != '['))
      return false;
    text.remove_prefix(1);
    if (is_dotted) {
      made.key = text.substr(0, std::min(text.find_first_of(".["), text.size()));
      text.remove_prefix(made.key.size());
      if (made.key.empty())
        return false;
    } else if (text.starts_with('"') || text.starts_with('\'')) {
      if (!take_quoted(text, made.key))
        return false;
    } else {
      made.is_element = true;
      if (!take_index(text, made.index))
        return false;
    }
  }
  return !out.empty() && !out.front().is_element;
}

bool gemini_partial_args::add(std::string_view json, std::string& out) {
  std::string_view where, text, number, flag, nothing, continues;
  read_members(json, {{"jsonPath", &where},
                      {"stringValue", &text},
                      {"numberValue", &number},
                      {"boolValue", &flag},
                      {"nullValue", &nothing},
                      {"willContinue", &continues}});
  path to;
  if (!read_path(json_string(where), to))
    return false;
  const auto is_scalar = !number.empty() || !flag.empty() || !nothing.empty();
  const auto goes_on = in_string_ && to == at_ && !is_scalar;
  if (!goes_on) {
    const auto differ = std::ranges::mismatch(to, at_);
    const auto common = static_cast<size_t>(differ.in1 - to.begin());
    if (!begins(to, common))
      return false;
    move_to(to, common, out);
  }
  if (is_scalar) {
    out.append(!number.empty() ? number : !flag.empty() ? flag : "null");
    return true;
  }
  out.append(goes_on ? "" : "\"").append(inside(text));
  in_string_ = true;
  if (continues != "true")
    close_string(out);
  return true;
}

/// Returns whether a value may begin there: after the last one, in what is open.
/// @param common the number of steps that the path shares with that of the last value
bool gemini_partial_args::begins(const path& to, size_t common) const {
  const auto is_first = [](const step& each) { return !each.is_element || each.index == 0; };
  if (at_.empty())
    return std::all_of(to.begin(), to.end(), is_first);
  if (common == to.size() || common == at_.size() ||
      to[common].is_element != at_[common].is_element)
    return false;
  const auto& next = to[common];
  if (next.is_element ? next.index != at_[common].index + 1 : keys_[common].contains(next.key))
    return false;
  return std::all_of(to.begin() + static_cast<std::ptrdiff_t>(common) + 1, to.end(), is_first);
}

/// Closes what the path leaves, and opens what it enters.
void gemini_partial_args::move_to(const path& to, size_t common, std::string& out) {
  close_string(out);
  if (!at_.empty()) {
    close_to(common, out);
    out.push_back(',');
    at_.resize(common);
    append_step(to[common], out);
    ++common;
  }
  for (; common < to.size(); ++common) {
    out.push_back(to[common].is_element ? '[' : '{');
    append_step(to[common], out);
  }
}

void gemini_partial_args::append_step(const step& each, std::string& out) {
  keys_.resize(std::max(keys_.size(), at_.size() + 1));
  if (!each.is_element) {
    keys_[at_.size()].insert(each.key);
    out.append(to_json(each.key)).push_back(':');
  }
  at_.push_back(each);
}

void gemini_partial_args::close_string(std::string& out) {
  if (std::exchange(in_string_, false))
    out.push_back('"');
}

/// Closes the objects and arrays on the path that are deeper than `depth`; 0 is the outermost.
void gemini_partial_args::close_to(size_t depth, std::string& out) {
  for (auto level = at_.size(); level > depth + 1; --level)
    out.push_back(at_[level - 1].is_element ? ']' : '}');
  keys_.resize(std::min(keys_.size(), depth + 1));
}

void gemini_partial_args::finish(std::string& out) {
  close_string(out);
  if (at_.empty())
    out.push_back('{');
  close_to(0, out);
  out.push_back('}');
  at_.clear();
  keys_.clear();
}

} // namespace troupe

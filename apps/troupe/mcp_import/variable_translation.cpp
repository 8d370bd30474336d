#include "apps/troupe/mcp_import/variable_translation.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace troupe {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  return first == text.npos ? std::string_view{}
                            : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Returns a name that the environment can have: "api-key" is API_KEY.
std::string variable_name(std::string_view id) {
  std::string out;
  for (const char c : id)
    out.push_back(c >= 'a' && c <= 'z'    ? static_cast<char>(c - 32)
                  : is_letter_or_digit(c) ? c
                                          : '_');
  return out.empty() || (out[0] >= '0' && out[0] <= '9') ? "_" + out : out;
}

bool is_variable_name(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '_' || is_letter_or_digit(c); });
}

/// The texts before and after a variable's name.
struct brackets {
  std::string_view open;
  std::string_view close;
};

class translator {
public:
  translator(const json_node* inputs, const std::vector<std::string>& own_names,
             std::vector<std::string>& notes)
      : inputs_{inputs}, own_names_{own_names}, notes_{notes} {}

  void translate(json_node& value) {
    if (value.kind == json_kind::string)
      value.text = translated(value.text);
    for (auto& each : value.children)
      translate(each);
  }

private:
  std::string translated(const std::string& text) {
    if (text.starts_with('$') && is_variable_name(std::string_view{text}.substr(1)))
      return "${" + text.substr(1) + '}';
    auto out = each_of(text, {"${input:", "}"}, [this](auto id) { return input(id); });
    out = each_of(out, {"{env:", "}"}, [](auto name) { return variable(name); });
    out = each_of(out, {"${{", "}}"}, [this](auto what) { return secret(what); });
    return each_of(out, {"{{", "}}"}, [this](auto name) { return of_user(name); });
  }

  /// Replaces what stands in brackets, unless `make` returns nothing.
  template <class Make>
  static std::string each_of(const std::string& text, const brackets& in, Make make) {
    std::string out;
    for (size_t i = 0;;) {
      const auto open = text.find(in.open, i);
      const auto begin = open == text.npos ? open : open + in.open.size();
      const auto close = begin == text.npos ? begin : text.find(in.close, begin);
      if (close == text.npos)
        return out.append(text, i);
      // "${env:NAME}" is not OpenCode's "{env:NAME}"
      const auto ours = open > 0 && text[open - 1] == '$' && in.open.front() == '{';
      std::optional<std::string> made;
      if (!ours)
        made = make(trimmed(std::string_view{text}.substr(begin, close - begin)));
      const auto end = made ? close + in.close.size() : begin;
      out.append(text, i, (made ? open : begin) - i);
      out += made.value_or("");
      i = end;
    }
  }

  static std::optional<std::string> variable(std::string_view name) {
    return fmt::format("${{{}}}", name);
  }

  std::optional<std::string> input(std::string_view id) {
    const auto name = variable_name(id);
    const auto* fallback = default_of(id);
    note(fmt::format("VS Code asks for '{}': set {} in the environment{}", id, name,
                     fallback != nullptr ? ", or take its default" : ""));
    return fallback != nullptr ? fmt::format("${{{}:-{}}}", name, fallback->text) : variable(name);
  }

  const json_node* default_of(std::string_view id) const {
    if (inputs_ == nullptr)
      return nullptr;
    for (const auto& each : inputs_->children) {
      const auto* own = each.find("id");
      const auto* value = each.find("default");
      if (own != nullptr && own->text == id && value != nullptr && value->kind == json_kind::string)
        return value;
    }
    return nullptr;
  }

  std::optional<std::string> secret(std::string_view what) {
    const auto name = variable_name(what.substr(what.rfind('.') + 1));
    note(fmt::format("Continue keeps '{}': set {} in the environment", what, name));
    return variable(name);
  }

  std::optional<std::string> of_user(std::string_view name) {
    if (std::find(own_names_.begin(), own_names_.end(), name) == own_names_.end()) {
      note(fmt::format("{{{{{}}}}} is filled in by the other program for each user; it stands here "
                       "as it is",
                       name));
      return std::nullopt;
    }
    note(fmt::format("LibreChat asks each user for '{}': set {} in the environment", name,
                     variable_name(name)));
    return variable(variable_name(name));
  }

  void note(std::string what) {
    if (std::find(notes_.begin(), notes_.end(), what) == notes_.end())
      notes_.push_back(std::move(what));
  }

  const json_node* inputs_;
  const std::vector<std::string>& own_names_;
  std::vector<std::string>& notes_;
};

} // namespace

void translate_variables(json_node& value, const json_node* inputs,
                         const std::vector<std::string>& own_names,
                         std::vector<std::string>& notes) {
  translator{inputs, own_names, notes}.translate(value);
}

} // namespace troupe

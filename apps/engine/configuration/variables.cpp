#include "apps/engine/configuration/variables.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "messages/utf8.hpp"

namespace troupe {

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

} // namespace troupe

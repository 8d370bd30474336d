#include "apps/engine/configuration/env_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

constexpr uintmax_t max_bytes = 1 << 20;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos)
    return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c == '_' || c == '.' || c == '-' || (c < 0x80 && std::isalnum(c) != 0);
  });
}

char escaped(char c) {
  switch (c) {
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  default:
    return c;
  }
}

/// Returns what stands between the quotes at the start of `text`; nothing if the second is missing.
std::optional<std::string> quoted(std::string_view text) {
  std::string out;
  const auto quote = text.front();
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == quote)
      return out;
    if (quote == '"' && text[i] == '\\' && i + 1 < text.size())
      out.push_back(escaped(text[++i]));
    else
      out.push_back(text[i]);
  }
  return std::nullopt;
}

std::optional<std::string> value_of_line(std::string_view text) {
  const auto value = trimmed(text);
  if (value.starts_with('"') || value.starts_with('\''))
    return quoted(value);
  return std::string{trimmed(text.substr(0, std::min(text.find(" #"), text.find("\t#"))))};
}

/// Reads one line. Returns whether it could be read.
bool read_line(std::string_view line, std::map<std::string, std::string>& out) {
  constexpr std::string_view word = "export ";
  line = trimmed(line);
  if (line.empty() || line.front() == '#')
    return true;
  if (line.starts_with(word))
    line.remove_prefix(word.size());
  const auto cut = line.find('=');
  const auto name = trimmed(line.substr(0, cut));
  if (cut == line.npos || !is_name(name))
    return false;
  auto value = value_of_line(line.substr(cut + 1));
  if (value)
    out[std::string{name}] = std::move(*value);
  return value.has_value();
}

} // namespace

std::string parse_env_file(std::string_view text, std::map<std::string, std::string>& out) {
  text = without_byte_order_mark(text);
  if (text.find('\0') != text.npos)
    return "holds a NUL character";
  for (size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    if (!read_line(text.substr(0, end), out))
      return fmt::format("has no NAME=VALUE in line {}", number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return "";
}

std::string read_env_file(const std::string& path, std::map<std::string, std::string>& out) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed))
    return "names a file that is not there";
  if (!std::filesystem::is_regular_file(path, failed))
    return "names what is no file";
  if (std::filesystem::file_size(path, failed) > max_bytes)
    return "names a file of more than 1 MiB";
  std::ifstream file{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file)
    return "names a file that cannot be read";
  return parse_env_file(text, out);
}

} // namespace troupe

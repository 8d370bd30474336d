#include "apps/troupe/mcp_import/third_party_file.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "apps/troupe/mcp_import/entry_translation.hpp"
#include "apps/troupe/mcp_import/yaml_tree.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/commented_json.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_tree.hpp"

namespace troupe {

// -- variable translation -------------------------------------------------------------------------

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

/// Replaces, in all strings below `value`, the variables that other programs have and we do not:
///
///     ${input:api-key}     VS Code asks for it   ${API_KEY}, with the default in `inputs`
///     {env:NAME}           OpenCode              ${NAME}
///     ${{ secrets.NAME }}  Continue              ${NAME}
///     $NAME, as all of it  Gemini                ${NAME}
///     {{NAME}}             LibreChat             ${NAME}, if NAME is in `own_names`
///
/// @param inputs VS Code's array; nullptr: none
/// @param own_names of LibreChat's `customUserVars`
/// @param notes told of each variable once: "..., set API_KEY in the environment"
void translate_variables(json_node& value, const json_node* inputs,
                         const std::vector<std::string>& own_names,
                         std::vector<std::string>& notes) {
  translator{inputs, own_names, notes}.translate(value);
}

// -- third-party file -----------------------------------------------------------------------------

constexpr size_t max_values = 1'000'000; ///< Claude Code keeps its history in the same file

/// Where the servers of a file are.
struct found_servers {
  const json_node* list = nullptr; ///< object, or array with names; null: none
  std::string form;
  timeout_unit unit = timeout_unit::unknown;
  const json_node* inputs = nullptr; ///< VS Code's
};

const json_node* inner(const json_node& root, std::initializer_list<std::string_view> path) {
  const auto* at = &root;
  for (const auto key : path)
    if (at != nullptr)
      at = at->kind == json_kind::object ? at->find(key) : nullptr;
  return at;
}

bool any_has(const json_node& servers, std::string_view key) {
  return std::any_of(servers.children.begin(), servers.children.end(), [&](const auto& each) {
    return each.kind == json_kind::object && each.find(key) != nullptr;
  });
}

/// Most programs write the same: their own keys tell them apart.
found_servers of_common_form(const json_node& servers, bool is_yaml) {
  if (servers.kind == json_kind::array)
    return {&servers, "Continue", timeout_unit::milliseconds};
  if (is_yaml)
    return {&servers, "LibreChat", timeout_unit::milliseconds};
  if (any_has(servers, "httpUrl") || any_has(servers, "trust"))
    return {&servers, "Gemini", timeout_unit::milliseconds};
  if (any_has(servers, "serverUrl"))
    return {&servers, "Windsurf"};
  return {&servers, "Claude, Cursor and others"};
}

found_servers find_servers(const json_node& root, bool is_yaml) {
  if (const auto* servers = inner(root, {"mcpServers"}))
    return of_common_form(*servers, is_yaml);
  if (const auto* servers = inner(root, {"servers"}))
    return {servers, "VS Code", timeout_unit::unknown, inner(root, {"inputs"})};
  if (const auto* servers = inner(root, {"mcp", "servers"}))
    return {servers, "VS Code", timeout_unit::unknown, inner(root, {"mcp", "inputs"})};
  if (const auto* servers = inner(root, {"context_servers"}))
    return {servers, "Zed"};
  if (const auto* servers = inner(root, {"experimental", "modelContextProtocolServers"}))
    return {servers, "Continue", timeout_unit::milliseconds};
  if (const auto* servers = inner(root, {"mcp"}))
    return {servers, "OpenCode", timeout_unit::milliseconds};
  return {};
}

bool looks_like_toml(std::string_view text) {
  return text.starts_with("[mcp") || text.find("\n[mcp") != text.npos;
}

failure read_yaml(std::string_view text, json_node& out) {
  const auto fault = read_yaml_tree(without_byte_order_mark(text), out);
  if (fault.empty() && (out.kind == json_kind::object || out.kind == json_kind::array))
    return {};
  return {errc::config_invalid,
          "it is neither JSON nor YAML" + (fault.empty() ? "" : ": " + fault)};
}

failure read_json(std::string_view text, const std::string& plain, json_node& out) {
  if (const auto flaw = find_json_flaw(plain); !flaw.what.empty()) {
    const auto place = place_of(text, flaw.at);
    return {errc::config_invalid, fmt::format("it is not valid JSON: line {}, column {}: {}",
                                              place.line, place.column, flaw.what)};
  }
  auto tree = read_json_tree(plain, max_values);
  if (!tree)
    return {errc::config_invalid, fmt::format("it has more than {} values", max_values)};
  out = std::move(*tree);
  return {};
}

failure read_tree(std::string_view text, json_node& out, bool& is_yaml) {
  if (begins_like_utf16(text))
    return {errc::config_invalid, "it is UTF-16; save it as UTF-8"};
  const auto plain = plain_json(text);
  const auto first = plain.find_first_not_of(" \t\r\n");
  is_yaml = first != plain.npos && plain[first] != '{' && plain[first] != '[';
  auto bad = is_yaml ? read_yaml(text, out) : read_json(text, plain, out);
  if (bad && looks_like_toml(text))
    bad.message = "it is TOML, which is not read; add its servers with `troupe mcp add`";
  return bad;
}

/// Returns the names of what LibreChat asks each user for.
std::vector<std::string> names_of_user(const json_node& entry) {
  std::vector<std::string> out;
  if (const auto* own = inner(entry, {"customUserVars"}))
    for (const auto& each : own->children)
      out.push_back(each.key);
  return out;
}

void add_server(const json_node& given, std::string name, const found_servers& from,
                imported_file& out) {
  if (given.kind != json_kind::object)
    return out.left_out.push_back(name + ": it is no object");
  imported_server made;
  auto entry = given;
  translate_variables(entry, from.inputs, names_of_user(given), made.notes);
  remove_member(entry, "name");
  if (const auto bad = translate_entry(entry, from.unit, made.notes); !bad.empty())
    return out.left_out.push_back(fmt::format("{}: {}", name, bad));
  json_buffer text;
  append_json(text, entry);
  made.name = std::move(name);
  made.entry = view(text);
  out.servers.push_back(std::move(made));
}

void add_servers(const found_servers& from, imported_file& out) {
  size_t number = 0;
  for (const auto& each : from.list->children) {
    ++number;
    const auto* name = each.find("name");
    if (from.list->kind == json_kind::object)
      add_server(each, each.key, from, out);
    else if (name != nullptr && name->kind == json_kind::string && !name->text.empty())
      add_server(each, name->text, from, out);
    else
      add_server(each, fmt::format("server-{}", number), from, out);
  }
}

/// Claude Code keeps servers for each folder, too.
void add_servers_of_projects(const json_node& root, imported_file& out) {
  const auto* projects = inner(root, {"projects"});
  if (projects == nullptr || projects->kind != json_kind::object)
    return;
  for (const auto& project : projects->children) {
    const auto* servers = inner(project, {"mcpServers"});
    if (servers == nullptr || servers->children.empty())
      continue;
    if (out.form.empty())
      out.form = "Claude Code";
    const auto before = out.servers.size();
    add_servers({servers, "Claude Code"}, out);
    for (auto i = before; i < out.servers.size(); ++i)
      out.servers[i].notes.push_back("Claude Code uses it in " + project.key + " only");
  }
}

} // namespace

failure read_third_party_file(std::string_view text, imported_file& out) {
  json_node root;
  bool is_yaml = false;
  if (auto bad = read_tree(text, root, is_yaml))
    return bad;
  if (root.kind == json_kind::array) { // a list, as Continue's blocks are
    auto wrapped = empty_node(json_kind::object);
    set_member(wrapped, "mcpServers", std::move(root));
    root = std::move(wrapped);
  }
  const auto found = find_servers(root, is_yaml);
  if (found.list != nullptr && found.list->kind != json_kind::object &&
      found.list->kind != json_kind::array)
    return {errc::config_invalid, "its list of MCP servers is neither an object nor an array"};
  out.form = found.form;
  if (found.list != nullptr)
    add_servers(found, out);
  add_servers_of_projects(root, out);
  if (out.servers.empty() && out.left_out.empty())
    return {errc::config_invalid,
            "it has no MCP servers; they are looked for in mcpServers, servers, mcp.servers, "
            "context_servers and mcp"};
  return {};
}

} // namespace troupe

#include "apps/troupe/mcp_import/third_party_file.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "apps/troupe/mcp_import/entry_translation.hpp"
#include "apps/troupe/mcp_import/shut_out.hpp"
#include "apps/troupe/mcp_import/variable_translation.hpp"
#include "apps/troupe/mcp_import/yaml_tree.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/commented_json.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_tree.hpp"

namespace troupe {

namespace {

constexpr size_t max_values = 1'000'000; ///< Claude Code keeps its history in the same file

/// Where the servers of a file are.
struct found_servers {
  const json_node* list = nullptr; ///< object, or array with names; null: none
  std::string form;
  timeout_unit unit = timeout_unit::unknown;
  const json_node* inputs = nullptr;   ///< VS Code's
  const json_node* shut_out = nullptr; ///< has the lists of servers that are shut out
};

/// A file that has one name on all machines.
struct known_name {
  std::string_view ending;
  std::string_view form;
  timeout_unit unit;
};

constexpr std::array known_names{
    known_name{"/cline_mcp_settings.json", "Cline", timeout_unit::seconds},
    known_name{"/.roo/mcp.json", "Roo Code", timeout_unit::seconds},
    known_name{"/mcp_settings.json", "Roo Code", timeout_unit::seconds},
    known_name{"/.mcp.json", "Claude Code", timeout_unit::milliseconds},
    known_name{"/.claude.json", "Claude Code", timeout_unit::milliseconds},
    known_name{"/.gemini/settings.json", "Gemini", timeout_unit::milliseconds},
};

/// Returns the value at the path; nullptr if there is none, or null.
const json_node* inner(const json_node& root, std::initializer_list<std::string_view> path) {
  const auto* at = &root;
  for (const auto key : path)
    if (at != nullptr)
      at = at->kind == json_kind::object ? at->find(key) : nullptr;
  return at != nullptr && at->kind == json_kind::null ? nullptr : at;
}

bool any_has(const json_node& servers, std::string_view key) {
  return std::any_of(servers.children.begin(), servers.children.end(), [&](const auto& each) {
    return each.kind == json_kind::object && each.find(key) != nullptr;
  });
}

/// Most programs write the same: their own keys tell them apart.
found_servers of_common_form(const json_node& root, const json_node& servers, bool is_yaml) {
  if (servers.kind == json_kind::array)
    return {&servers, "Continue", timeout_unit::milliseconds};
  if (is_yaml)
    return {&servers, "LibreChat", timeout_unit::milliseconds};
  if (any_has(servers, "httpUrl") || any_has(servers, "trust") || inner(root, {"mcp"}) != nullptr ||
      inner(root, {"excludeMCPServers"}) != nullptr || inner(root, {"allowMCPServers"}) != nullptr)
    return {&servers, "Gemini", timeout_unit::milliseconds};
  if (inner(root, {"projects"}) != nullptr)
    return {&servers, "Claude Code", timeout_unit::milliseconds};
  if (any_has(servers, "serverUrl"))
    return {&servers, "Windsurf"};
  if (any_has(servers, "alwaysAllow"))
    return {&servers, "Roo Code", timeout_unit::seconds};
  return {&servers, "Claude, Cursor and others"};
}

/// VS Code and OpenCode both have `mcp.servers`.
found_servers of_nested_form(const json_node& root, const json_node& servers) {
  const auto of_opencode =
      std::any_of(servers.children.begin(), servers.children.end(), [](const auto& each) {
        const auto* type = inner(each, {"type"});
        return type != nullptr && (type->text == "local" || type->text == "remote");
      });
  if (of_opencode)
    return {&servers, "OpenCode", timeout_unit::milliseconds};
  return {&servers, "VS Code", timeout_unit::unknown, inner(root, {"mcp", "inputs"})};
}

found_servers find_servers(const json_node& root, bool is_yaml) {
  if (const auto* servers = inner(root, {"mcpServers"}))
    return of_common_form(root, *servers, is_yaml);
  if (const auto* servers = inner(root, {"servers"}))
    return {servers, "VS Code", timeout_unit::unknown, inner(root, {"inputs"})};
  if (const auto* servers = inner(root, {"mcp", "servers"}))
    return of_nested_form(root, *servers);
  if (const auto* servers = inner(root, {"context_servers"}))
    return {servers, "Zed", timeout_unit::seconds};
  if (const auto* servers = inner(root, {"experimental", "modelContextProtocolServers"}))
    return {servers, "Continue", timeout_unit::milliseconds};
  if (const auto* servers = inner(root, {"mcp"}))
    return {servers, "OpenCode", timeout_unit::milliseconds};
  return {};
}

/// Takes the program and its unit from the name of the file, where the content is of many.
void judge_by_name(std::string path, found_servers& found) {
  if (found.unit != timeout_unit::unknown || found.form == "VS Code")
    return;
  path.insert(0, "/");
  for (const auto& each : known_names)
    if (path.ends_with(each.ending)) {
      found.form = each.form;
      found.unit = each.unit;
      return;
    }
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

json_node shut_node() {
  json_node out;
  out.kind = json_kind::boolean;
  out.text = "false";
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
  if (const auto list = shut_out_by(*from.shut_out, name); !list.empty()) {
    set_member(entry, "enabled", shut_node());
    made.notes.push_back(fmt::format("{} shuts it out: it is \"enabled\": false here", list));
  }
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
    add_servers({servers, "Claude Code", timeout_unit::milliseconds, nullptr, &project}, out);
    for (auto i = before; i < out.servers.size(); ++i)
      out.servers[i].notes.push_back("Claude Code uses it in " + project.key + " only");
  }
}

} // namespace

failure read_third_party_file(std::string_view text, imported_file& out, std::string_view path) {
  json_node root;
  bool is_yaml = false;
  if (auto bad = read_tree(text, root, is_yaml))
    return bad;
  if (root.kind == json_kind::array) { // a list, as Continue's blocks are
    auto wrapped = empty_node(json_kind::object);
    set_member(wrapped, "mcpServers", std::move(root));
    root = std::move(wrapped);
  }
  auto found = find_servers(root, is_yaml);
  found.shut_out = &root;
  judge_by_name(std::string{path}, found);
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

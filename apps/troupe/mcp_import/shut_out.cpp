#include "apps/troupe/mcp_import/shut_out.hpp"

#include <algorithm>
#include <array>

namespace troupe {

namespace {

/// A member of the file that names servers.
struct name_list {
  std::string_view name; ///< as people find it
  std::string_view outer;
  std::string_view key;
  bool allows = false; ///< others are shut out
};

constexpr std::array lists{
    name_list{"mcp.excluded", "mcp", "excluded"},
    name_list{"mcp.allowed", "mcp", "allowed", true},
    name_list{"excludeMCPServers", "", "excludeMCPServers"},
    name_list{"allowMCPServers", "", "allowMCPServers", true},
    name_list{"disabledMcpServers", "", "disabledMcpServers"},
    name_list{"disabledMcpjsonServers", "", "disabledMcpjsonServers"},
    name_list{"deniedMcpServers", "", "deniedMcpServers"},
    name_list{"allowedMcpServers", "", "allowedMcpServers", true},
};

const json_node* list_in(const json_node& root, const name_list& list) {
  const auto* outer = list.outer.empty() ? &root : root.find(list.outer);
  const auto* found =
      outer != nullptr && outer->kind == json_kind::object ? outer->find(list.key) : nullptr;
  return found != nullptr && found->kind == json_kind::array ? found : nullptr;
}

/// Claude Code's managed lists hold objects; entries by command or URL are not for a name to judge.
bool names(const json_node& element, std::string_view server) {
  const auto* name = element.kind == json_kind::object ? element.find("serverName") : &element;
  return name != nullptr && name->kind == json_kind::string && name->text == server;
}

bool holds(const json_node& list, std::string_view server) {
  return std::any_of(list.children.begin(), list.children.end(),
                     [&](const auto& each) { return names(each, server); });
}

/// Returns whether a pattern such as "web_*" means all tools of a server. OpenCode calls them
/// SERVER_TOOL, with "_" for characters that a name of a tool cannot have.
bool means_all_tools(std::string_view pattern, std::string_view server) {
  if (!pattern.ends_with('*'))
    return false;
  pattern.remove_suffix(1);
  if (pattern.ends_with('_') && pattern.size() == server.size() + 1)
    pattern.remove_suffix(1);
  const auto same = [](char theirs, char own) {
    const auto plain = (own >= 'a' && own <= 'z') || (own >= 'A' && own <= 'Z') ||
                       (own >= '0' && own <= '9') || own == '_' || own == '-';
    return theirs == own || (theirs == '_' && !plain);
  };
  return pattern.size() <= server.size() &&
         std::equal(pattern.begin(), pattern.end(), server.begin(), same);
}

/// Returns whether the last pattern for the server switches its tools off.
bool switches_off(const json_node& root, std::string_view key, std::string_view server) {
  const auto* patterns = root.find(key);
  if (patterns == nullptr || patterns->kind != json_kind::object)
    return false;
  bool off = false;
  for (const auto& each : patterns->children)
    if (means_all_tools(each.key, server))
      off = each.is(false) || (each.kind == json_kind::string && each.text == "deny");
  return off;
}

} // namespace

std::string_view shut_out_by(const json_node& root, std::string_view server) {
  if (root.kind != json_kind::object)
    return "";
  for (const auto& each : lists)
    if (const auto* list = list_in(root, each);
        list != nullptr && holds(*list, server) != each.allows)
      return each.name;
  for (const std::string_view key : {"tools", "permission"})
    if (switches_off(root, key, server))
      return key;
  return "";
}

} // namespace troupe

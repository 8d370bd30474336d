#include "apps/engine/configuration/key_names.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace troupe {

namespace {

// Claude Desktop and Code, Cursor, VS Code, Gemini CLI, LM Studio and their relatives.
constexpr std::array root_keys{
    foreign_key{"globalShortcut", ""},
    foreign_key{"preferences", ""},
    foreign_key{"inputs", ""},
    foreign_key{"enabledMcpjsonServers", ""},
    foreign_key{"disabledMcpjsonServers", ""},
    foreign_key{"enableAllProjectMcpServers", ""},
    foreign_key{"permissions", ""},
    foreign_key{"hooks", ""},
    foreign_key{"theme", ""},
    foreign_key{"general", ""},
    foreign_key{"ui", ""},
    foreign_key{"security", ""},
    foreign_key{"selectedAuthType", ""},
    foreign_key{"preferredEditor", ""},
    foreign_key{"vimMode", ""},
    foreign_key{"usageStatisticsEnabled", ""},
    foreign_key{"mcpSettings", ""},
    foreign_key{"projects", "`troupe mcp import` reads the files of Claude Code that have it"},
    foreign_key{"servers",
                "it is VS Code's word for mcpServers; `troupe mcp import` reads its files"},
    foreign_key{"context_servers",
                "it is Zed's word for mcpServers; `troupe mcp import` reads its files"},
    foreign_key{"mcp", "`troupe mcp import` reads the files of OpenCode, VS Code and Gemini"},
    foreign_key{"experimental", "`troupe mcp import` reads the files of Continue and Gemini"},
    foreign_key{"mcp_servers", "it is called mcpServers here"},
    foreign_key{"mcpServer", "it is called mcpServers here"},
};

constexpr std::array server_keys{
    foreign_key{"description", ""},   foreign_key{"title", ""},
    foreign_key{"name", ""},          foreign_key{"id", ""},
    foreign_key{"version", ""},       foreign_key{"author", ""},
    foreign_key{"provider", ""},      foreign_key{"providerUrl", ""},
    foreign_key{"logoUrl", ""},       foreign_key{"icon", ""},
    foreign_key{"iconPath", ""},      foreign_key{"tags", ""},
    foreign_key{"category", ""},      foreign_key{"comment", ""},
    foreign_key{"note", ""},          foreign_key{"notes", ""},
    foreign_key{"source", ""},        foreign_key{"settings", ""},
    foreign_key{"gallery", ""},       foreign_key{"registryUrl", ""},
    foreign_key{"installSource", ""}, foreign_key{"dev", ""},
    foreign_key{"sandbox", ""},       foreign_key{"sandboxEnabled", ""},
    foreign_key{"watchPaths", ""},    foreign_key{"chatMenu", ""},
    foreign_key{"startup", ""},       foreign_key{"serverInstructions", ""},
    foreign_key{"longRunning", ""},   foreign_key{"oauth", ""},
    foreign_key{"auth", ""},          foreign_key{"authProviderType", ""},
    foreign_key{"requiresOAuth", ""}, foreign_key{"customUserVars", ""},
    foreign_key{"headersHelper", ""}, foreign_key{"alwaysLoad", ""},
    foreign_key{"oauthScopes", ""},   foreign_key{"remoteConfigured", ""},
    foreign_key{"stderr", ""},        foreign_key{"targetAudience", ""},
    foreign_key{"extensionName", ""}, foreign_key{"targetServiceAccount", ""},
};

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

/// Returns the key without case, _ and -.
std::string sound_of(std::string_view key) {
  std::string out;
  for (const char c : key)
    if (c != '_' && c != '-')
      out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
  return out;
}

} // namespace

std::span<const foreign_key> foreign_root_keys() {
  return root_keys;
}

std::span<const foreign_key> foreign_server_keys() {
  return server_keys;
}

std::string nearest_key(std::string_view key, const std::vector<std::string>& known) {
  const auto name = sound_of(key);
  std::string nearest;
  auto least = name.size() + 1;
  for (const auto& each : known) {
    const auto other = sound_of(each);
    const auto apart = distance(name, other);
    const auto longer = std::max(name.size(), other.size());
    if (apart <= std::max<size_t>(1, longer / 3) && apart < least) {
      nearest = each;
      least = apart;
    }
  }
  return nearest;
}

} // namespace troupe

#include "apps/engine/configuration/key_names.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace troupe {

namespace {

// Claude Desktop and Code, Cursor, VS Code, Gemini CLI, LM Studio and their relatives.
constexpr std::array root_keys{
    third_party_key{"globalShortcut", ""},
    third_party_key{"preferences", ""},
    third_party_key{"inputs", ""},
    third_party_key{"enabledMcpjsonServers", ""},
    third_party_key{"disabledMcpjsonServers", ""},
    third_party_key{"enableAllProjectMcpServers", ""},
    third_party_key{"permissions", ""},
    third_party_key{"hooks", ""},
    third_party_key{"theme", ""},
    third_party_key{"general", ""},
    third_party_key{"ui", ""},
    third_party_key{"security", ""},
    third_party_key{"selectedAuthType", ""},
    third_party_key{"preferredEditor", ""},
    third_party_key{"vimMode", ""},
    third_party_key{"usageStatisticsEnabled", ""},
    third_party_key{"mcpSettings", ""},
    third_party_key{"projects", "`troupe mcp import` reads the files of Claude Code that have it"},
    third_party_key{"servers",
                    "it is VS Code's word for mcpServers; `troupe mcp import` reads its files"},
    third_party_key{"context_servers",
                    "it is Zed's word for mcpServers; `troupe mcp import` reads its files"},
    third_party_key{"mcp", "`troupe mcp import` reads the files of OpenCode, VS Code and Gemini"},
    third_party_key{"experimental", "`troupe mcp import` reads the files of Continue and Gemini"},
    third_party_key{"mcp_servers", "it is called mcpServers here"},
    third_party_key{"mcpServer", "it is called mcpServers here"},
};

constexpr std::array server_keys{
    third_party_key{"description", ""},   third_party_key{"title", ""},
    third_party_key{"name", ""},          third_party_key{"id", ""},
    third_party_key{"version", ""},       third_party_key{"author", ""},
    third_party_key{"provider", ""},      third_party_key{"providerUrl", ""},
    third_party_key{"logoUrl", ""},       third_party_key{"icon", ""},
    third_party_key{"iconPath", ""},      third_party_key{"tags", ""},
    third_party_key{"category", ""},      third_party_key{"comment", ""},
    third_party_key{"note", ""},          third_party_key{"notes", ""},
    third_party_key{"source", ""},        third_party_key{"settings", ""},
    third_party_key{"gallery", ""},       third_party_key{"registryUrl", ""},
    third_party_key{"installSource", ""}, third_party_key{"dev", ""},
    third_party_key{"sandbox", ""},       third_party_key{"sandboxEnabled", ""},
    third_party_key{"watchPaths", ""},    third_party_key{"chatMenu", ""},
    third_party_key{"startup", ""},       third_party_key{"serverInstructions", ""},
    third_party_key{"longRunning", ""},   third_party_key{"oauth", ""},
    third_party_key{"auth", ""},          third_party_key{"authProviderType", ""},
    third_party_key{"requiresOAuth", ""}, third_party_key{"customUserVars", ""},
    third_party_key{"headersHelper", ""}, third_party_key{"alwaysLoad", ""},
    third_party_key{"oauthScopes", ""},   third_party_key{"remoteConfigured", ""},
    third_party_key{"stderr", ""},        third_party_key{"targetAudience", ""},
    third_party_key{"extensionName", ""}, third_party_key{"targetServiceAccount", ""},
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

std::span<const third_party_key> third_party_root_keys() {
  return root_keys;
}

std::span<const third_party_key> third_party_server_keys() {
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

// Changes of MCP servers that outlive the process: how they differ from the configuration.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "actors/mcp_hub/mcp_hub.hpp"
#include "messages/store/store_status.hpp"

namespace troupe {

/// Begins the keys of these settings; the server's name follows.
inline constexpr std::string_view server_setting_prefix = "mcpServers/";

/// Begins the keys of settings that remember a server's tools; the server's name follows.
inline constexpr std::string_view tools_setting_prefix = "mcpTools/";

/// Begins both.
inline constexpr std::string_view mcp_setting_prefix = "mcp";

/// Returns the setting of a server. @param value empty: there is none
setting setting_of_server(std::string_view server, std::string value);

/// Reads and makes the settings `mcpServers/NAME`:
///
///     {"base":HASH, "removed":true}     the configured server is gone
///     {"base":HASH, "enabled":BOOLEAN}  it is switched on or off
///     {"base":HASH, "entry":{...}}      it is another one
///     {"place":NUMBER, "entry":{...}}   one that is not configured; the later, the higher
///
/// HASH is of the configured entry at that time, with the values that `${NAME}` had. When the
/// configuration says something else now, it wins and the setting is dropped. Not thread safe.
class mcp_hub_settings {
public:
  mcp_hub_settings() = default;

  /// @param configured of two with the same name the first counts
  mcp_hub_settings(mcp_entry_format format, const std::vector<mcp_server_config>& configured);

  /// Makes the setting by which `server` is as it is now; without a value if it is configured so.
  /// @return config_invalid when it could not be read again
  failure keep(const mcp_server_config& server, setting& out);

  /// Makes the setting by which a server is gone.
  setting remove(const std::string& server);

  /// The servers that configuration and settings give together.
  struct result {
    std::vector<mcp_server_config> servers; ///< in the order that decides about names
    std::vector<std::string> dropped;       ///< servers whose settings hold no more
    std::vector<std::string> unreadable;    ///< servers whose settings are ignored
  };
  result apply(const std::vector<setting>& kept);

  /// Returns a hash of the entry as it is now, however it is switched.
  std::string hash_of(mcp_server_config server) const;

  /// Returns whether two servers are the same in all that is kept.
  bool same(const mcp_server_config& a, const mcp_server_config& b) const;

private:
  struct kept_server;

  const mcp_server_config* configured(std::string_view server) const;
  std::string base_of(std::string_view server) const;
  bool read(const setting& from, kept_server& out) const;
  uint64_t place_of(const std::string& server);

  mcp_entry_format format_;
  std::vector<mcp_server_config> configured_;
  std::map<std::string, uint64_t> places_; ///< of servers that are not configured
};

} // namespace troupe

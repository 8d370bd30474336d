// Everything an operator can set; docs/configuration.md documents each key, docs/models.md those of
// models.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/engine/page_asset.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/cluster/cluster_config.hpp"
#include "messages/errors.hpp"
#include "messages/limits.hpp"
#include "messages/mcp/mcp_config.hpp"
#include "messages/ports/log_port.hpp"
#include "messages/store/api_key.hpp"
#include "messages/store/durability.hpp"
#include "messages/store/owner_quota.hpp"

namespace troupe {

/// `data`, `store` and `durability`.
struct store_settings {
  std::string folder; ///< is made if it is not there
  std::string url;    ///< postgresql://..., in place of a folder; may hold a password
  durability durable = durability::normal;

  /// Returns whether chats are kept; if not, they live in memory only.
  bool keeps() const { return !folder.empty() || !url.empty(); }
};

/// The section `limits`.
struct engine_limits {
  turn_limits turn; ///< its approval is the section `toolApproval`
  chat_limits chats;
  server_limits server;
  file_limits files; ///< uploads; `maxFileBytes`, `maxFileBytesPerOwner`, `fileDays`
  owner_quota owner; ///< what each owner may keep; `maxConversationsPerOwner`, `maxBytesPerOwner`
  std::chrono::milliseconds drain{30'000}; ///< at shutdown, for running turns
};

/// The section `logs`; heeded by `troupe serve`.
struct log_settings {
  std::string level{"info"}; ///< "debug", "info", "warning", "error" or "off"
  bool text = false;         ///< the texts of requests are in the lines of level debug
};

/// `auth`: who may use the HTTP interface.
struct auth_settings {
  bool keys = false;        ///< requests need an API key and see its owner's data; false: no keys
  bool anyone = false;      ///< without keys, an address that others reach may be listened on
  std::vector<api_key> own; ///< valid beside the keys of the data folder; grant_own_key() adds one
};

/// Returns troupe-tool-output-UID in the folder for temporary files.
std::string default_tool_output_folder();

/// The whole configuration of an engine.
struct engine_config {
  std::string listen{"127.0.0.1:8080"};
  size_t shards = 0;             ///< event loops; 0 = one per core
  std::string scheduler{"loop"}; ///< actors run on the shards; "sharing", "stealing": CAF's own
  std::map<std::string, model_config> models; ///< none: the scripted model
  std::string default_model;                  ///< a key of `models`; empty = the only or first one
  std::map<std::string, std::string> model_aliases; ///< other names of models; "*": all unknown
  std::string model_source; ///< the environment variable that brought the only model; "" = none did
  std::string system_prompt;
  std::vector<mcp_server_config> mcp_servers; ///< in the file's order, which decides about names
  bool mcp_always_prefix = false; ///< tools are called SERVER_TOOL also without a conflict
  bool mcp = true;                ///< false: no MCP servers at all, also none of the data folder
  std::chrono::milliseconds resource_ttl{5 * 60 * 1000}; ///< of the cache of resource contents
  size_t resource_entries = 50;                          ///< of the same cache
  std::string tool_output_folder =
      default_tool_output_folder(); ///< for results that are too long; empty: these are cut
  engine_limits limits;
  std::string ui_profile{"v6"}; ///< which AI SDK reads /api/chat: "v5-min", "v6" or "v7"
  store_settings store;
  std::optional<cluster_config> cluster; ///< nothing: no other server shares the database
  auth_settings auth;
  std::vector<std::string> cors_origins; ///< whose pages may use the server; "*": all
  /// Returns whether clients get the texts of models and servers about failures.
  bool shows_error_details() const { return error_details < 0 ? !auth.keys : error_details > 0; }
  int8_t error_details = -1; ///< 1: clients get the texts of models and servers; -1: without keys
  bool page = true;          ///< false: no web page, even if there are files of one
  std::string page_note;     ///< what "/" says besides, where there is no page
  std::span<const page_asset> page_files; ///< the program's own; none in the library
  log_settings logs;
  std::shared_ptr<log_port> log;  ///< takes the engine's log lines; nullptr: nobody does
  std::vector<std::string> notes; ///< for people: what of the text means nothing, or cannot be used
};

/// The use that a configuration is read for.
enum class config_use : uint8_t {
  everything,
  servers, ///< a model whose variables are not set is left out, with a note
};

/// Parses a configuration: JSON, which may have comments, trailing commas and a byte order mark.
/// Variables in strings are replaced (docs/configuration.md); a server with one that is not set
/// cannot be used. Unknown keys are errors; known ones of other programs are passed over with a
/// note. @return config_invalid with the place ("limits.drainSeconds must be..."), or no error
failure parse_config(std::string_view json, engine_config& out,
                     config_use use = config_use::everything);

/// Parses one entry of `mcpServers`, with the same checks.
/// @param json the entry's object @return config_invalid, or no error; then `out` is replaced
failure parse_server(std::string_view name, std::string_view json, mcp_server_config& out);

/// Reads a file and parses it; errors and notes begin with its place: "troupe.json:3:5: ".
failure load_config(const std::string& path, engine_config& out,
                    config_use use = config_use::everything);

/// Returns the first value that no engine can use ("models.a.base_url must be ..."), but for
/// integers: a program may set any. @return config_invalid, or no error
failure check_config(const engine_config& config);

/// Returns what is wrong with the base URL of a model, or "".
std::string_view model_url_fault(std::string_view url);

} // namespace troupe

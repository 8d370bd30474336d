#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/engine/config.hpp"
#include "apps/engine/configuration/cluster_entry.hpp"
#include "apps/engine/configuration/config_check.hpp"
#include "apps/engine/configuration/model_entry.hpp"
#include "apps/engine/configuration/object_reader.hpp"
#include "apps/engine/configuration/server_entry.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/commented_json.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"
#include "transport/postgres/connection/postgres_target.hpp"

namespace troupe {

// -- config place ---------------------------------------------------------------------------------

namespace {

/// Returns whether a path begins with a member's key, and not with the start of a longer one.
bool begins_with(std::string_view path, std::string_view key) {
  return !key.empty() && path.starts_with(key) &&
         (path.size() == key.size() ||
          std::string_view{".[ :"}.find(path[key.size()]) != std::string_view::npos);
}

/// Returns the slice of the key that the path names, or else of the object itself.
std::string_view named(std::string_view object, std::string_view path) {
  std::string_view found_key, found_value;
  size_t longest = 0;
  for_each_member(object, [&](std::string_view key, std::string_view value) {
    if (key.size() >= longest && begins_with(path, key)) {
      longest = key.size();
      // an escaped key is no slice of the text
      const auto in_text = key.data() > object.data() && key.data() < value.data();
      found_key = in_text ? std::string_view{key.data() - 1, 1} : value.substr(0, 1);
      found_value = value;
    }
    return true;
  });
  if (longest == 0)
    return object;
  path.remove_prefix(longest);
  if (!path.starts_with('.'))
    return found_key;
  const auto inner = kind_of(found_value) == json_kind::object ? named(found_value, path.substr(1))
                                                               : std::string_view{};
  return inner.empty() || inner.data() == found_value.data() ? found_key : inner;
}

/// Returns "NAME:LINE:COLUMN: " of the key with whose path a message begins, as in
/// "limits.drainSeconds must be ...", or of what is nearest above it.
/// @param json a text without a fault, as plain_json() makes it
/// @param original the same text with its comments
std::string place_in(const std::string& name, std::string_view json, std::string_view original,
                     std::string_view message) {
  const json_source source{json};
  const auto root = source.root();
  if (root.empty())
    return name + ": ";
  const auto begin = json.find_first_not_of(" \t\r\n");
  const auto at = begin + static_cast<size_t>(named(root, message).data() - root.data());
  const auto place = place_of(original, at);
  return fmt::format("{}:{}:{}: ", name, place.line, place.column);
}

// -- config reading -------------------------------------------------------------------------------

/// @return whether the model is left out
bool read_model(std::string_view name, object_reader& in, engine_config& out, config_use use) {
  model_config model;
  std::string lacking;
  if (use == config_use::servers)
    in.tolerate_lacking(lacking);
  read_model_entry(name, in, model);
  if (lacking.empty())
    out.models.emplace(name, std::move(model));
  else
    out.notes.push_back(lacking + "; the model is left out");
  return !lacking.empty();
}

void read_models(object_reader& in, engine_config& out, config_use use) {
  std::set<std::string, std::less<>> left_out;
  in.read_objects("models", [&](auto name, auto& inner) {
    if (read_model(name, inner, out, use))
      left_out.emplace(name);
  });
  in.read("defaultModel", out.default_model);
  in.read("modelAliases", out.model_aliases);
  std::erase_if(out.model_aliases,
                [&left_out](const auto& each) { return left_out.contains(each.second); });
  if (left_out.contains(out.default_model))
    out.default_model.clear();
  for (auto& [name, model] : out.models)
    if (left_out.contains(model.fallback))
      model.fallback.clear();
}

void read_server(std::string_view name, object_reader& in, engine_config& out) {
  mcp_server_config server;
  read_server_entry(name, in, server);
  if (!server.fault.empty())
    out.notes.push_back(server.fault + "; the server is not started");
  out.mcp_servers.push_back(std::move(server));
}

void read_servers(object_reader& in, engine_config& out) {
  if (in.kind("mcpServers") == json_kind::array)
    return in.fail("mcpServers",
                   "must be an object with a key for each server; see `troupe mcp import`");
  in.read_objects("mcpServers", [&](auto name, auto& inner) { read_server(name, inner, out); });
}

void read_resource_cache(object_reader& in, engine_config& out) {
  in.read("ttlMs", out.resource_ttl);
  in.read("entries", out.resource_entries, 0, 100'000);
}

constexpr int64_t gigabyte = 1 << 30;

void read_server_limits(object_reader& in, server_limits& out) {
  in.read("maxConnections", out.max_connections, 1, 1'000'000);
  in.read("maxConnectionsPerAddress", out.max_connections_per_address, 0, 1'000'000);
  in.read("maxBufferedBytes", out.max_buffered_bytes, 0, 64 * gigabyte);
  in.read("maxBodyBytes", out.max_body_bytes, 1024, gigabyte);
  in.read("maxHeaderBytes", out.max_header_bytes, 1024, 1 << 20);
  in.read("bodyMs", out.body_total);
  in.read("minBodyBytesPerSecond", out.least_body_rate, 0, gigabyte);
  in.read("idleConnectionMs", out.idle_timeout);
  in.read("stalledClientMs", out.stall_timeout);
}

void read_chat_limits(object_reader& in, chat_limits& out) {
  in.read("maxSessions", out.max_sessions, 1, 100'000'000);
  in.read("sessionIdleMs", out.session_idle);
  in.read("maxWaitingTurns", out.max_waiting_turns, 0, 10'000);
  in.read("maxLogBytes", out.max_log_bytes, 64 * 1024, gigabyte);
  in.read("maxHiddenRoundBytes", out.max_hidden_bytes, 0, 64 * gigabyte);
}

void read_turn_limits(object_reader& in, turn_limits& out) {
  in.read("maxToolRoundtrips", out.max_tool_roundtrips, 0, 100);
  in.read("maxToolTextBytes", out.max_tool_text_bytes, 1024, gigabyte);
  in.read("maxCallsPerRound", out.max_calls_per_round, 0, 10'000);
  in.read("maxIdenticalCalls", out.max_identical_calls, 0, 10'000);
  in.read("maxTurnTokens", out.max_turn_tokens, 0, 1'000'000'000'000);
  in.read("maxTurnBytes", out.max_turn_bytes, 0, gigabyte);
  in.read("toolTimeoutMs", out.tool_timeout);
}

void read_file_limits(object_reader& in, file_limits& out) {
  in.read("maxFileBytes", out.max_file_bytes, 1024, 4 * gigabyte);
  in.read("maxFileBytesPerOwner", out.max_owner_bytes, 0, 1'000'000 * gigabyte);
  auto days = out.lifetime.count() / 24;
  in.read("fileDays", days, 0, 36'500);
  out.lifetime = std::chrono::hours{days * 24};
}

void read_limits(object_reader& in, engine_limits& out) {
  read_turn_limits(in, out.turn);
  read_chat_limits(in, out.chats);
  read_server_limits(in, out.server);
  in.read("maxConversationsPerOwner", out.owner.conversations, 0, 1'000'000'000);
  in.read("maxBytesPerOwner", out.owner.bytes, 0, 1'000'000 * gigabyte);
  read_file_limits(in, out.files);
  auto drain_seconds = std::chrono::duration_cast<std::chrono::seconds>(out.drain).count();
  in.read("drainSeconds", drain_seconds, 0, 24 * 3600);
  out.drain = std::chrono::seconds{drain_seconds};
}

void read_approval_tools(object_reader& in, approval_policy& out) {
  in.expect("tools");
  std::vector<std::string> tools;
  in.read("tools", tools);
  out.tools.insert(std::make_move_iterator(tools.begin()), std::make_move_iterator(tools.end()));
  in.read("timeoutMs", out.timeout, 1);
}

/// A word, or an object that names tools.
void read_approval(object_reader& in, approval_policy& out) {
  constexpr std::string_view key = "toolApproval";
  approval_policy read;
  if (in.kind(key) == json_kind::object) {
    in.read_object(key, [&](auto& inner) { read_approval_tools(inner, read); });
  } else {
    std::string word{"off"};
    in.read(key, word);
    read.always = word == "always";
    read.unless_read_only = word == "unlessReadOnly";
    if (!read.always && !read.unless_read_only && word != "off")
      in.fail(key, R"(must be "off", "always", "unlessReadOnly" or {"tools": [...]})");
  }
  if (in.has(key))
    out = std::move(read);
}

void read_logs(object_reader& in, log_settings& out) {
  constexpr std::array<std::string_view, 5> levels{"debug", "info", "warning", "error", "off"};
  in.read("level", out.level);
  if (std::ranges::find(levels, out.level) == levels.end())
    in.fail("level", fmt::format("must be one of: {}", fmt::join(levels, ", ")));
  in.read("text", out.text);
}

void read_store(object_reader& in, store_settings& out) {
  in.read("data", out.folder);
  in.read("store", out.url);
  if (const auto bad = out.url.empty() ? failure{} : postgres_url_fault(out.url))
    in.fail("store", bad.message);
  else if (in.has("store") && in.has("data"))
    in.fail("store", "is in place of \"data\"; leave one of them out");
  if (!out.url.empty())
    out.folder.clear();
  auto how = to_string(out.durable);
  in.read("durability", how);
  for (auto each : {durability::full, durability::normal, durability::none})
    if (how == to_string(each)) {
      out.durable = each;
      return;
    }
  in.fail("durability", "must be \"full\", \"normal\" or \"none\"");
}

void read_root(object_reader& in, engine_config& out, config_use use) {
  std::string schema; // for editors
  in.read("$schema", schema);
  in.expect_third_party(third_party_root_keys());
  in.read("listen", out.listen);
  in.read("shards", out.shards, 0, 1024);
  in.read("scheduler", out.scheduler);
  read_models(in, out, use);
  in.read("systemPrompt", out.system_prompt);
  read_servers(in, out);
  in.read("mcpAlwaysPrefix", out.mcp_always_prefix);
  in.read("page", out.page);
  in.read_object("resourceCache", [&](auto& inner) { read_resource_cache(inner, out); });
  in.read("toolOutputFolder", out.tool_output_folder);
  in.read_object("limits", [&](auto& inner) { read_limits(inner, out.limits); });
  read_store(in, out.store);
  read_cluster(in, out.cluster);
  in.read_object("auth", [&](auto& inner) {
    inner.read("keys", out.auth.keys);
    inner.read("anyone", out.auth.anyone);
  });
  in.read_object("cors", [&](auto& inner) { inner.read("origins", out.cors_origins); });
  if (in.has("errorDetails")) {
    bool shown = false;
    in.read("errorDetails", shown);
    out.error_details = shown ? 1 : 0;
  }
  read_approval(in, out.limits.turn.approval);
  in.read("uiProfile", out.ui_profile);
  in.read_object("logs", [&](auto& inner) { read_logs(inner, out.logs); });
  in.finish();
}

/// Says what is no JSON, and where.
/// @param name of the text; empty: the place is a byte
failure not_json(std::string_view json, const std::string& name, const json_flaw& flaw) {
  auto text = fmt::format("the configuration is not valid JSON: {}", flaw.what);
  if (begins_like_utf16(json))
    text = "the configuration is UTF-16; save it as UTF-8";
  else if (const auto first = json.find_first_not_of(" \t\r\n"); flaw.at <= first && !json.empty())
    text += ". `troupe mcp import` reads files of other programs";
  if (name.empty())
    return {errc::config_invalid,
            flaw.at == json.npos ? text : fmt::format("{} at byte {}", text, flaw.at)};
  const auto place = place_of(json, flaw.at == json.npos ? 0 : flaw.at);
  return {errc::config_invalid, fmt::format("{}:{}:{}: {}", name, place.line, place.column, text)};
}

/// @param name stands before errors and notes, with a place; empty: no places
failure parse_text(std::string_view json, const std::string& name, engine_config& out,
                   config_use use) {
  const auto plain = plain_json(json);
  if (const auto flaw = find_json_flaw(plain); !flaw.what.empty())
    return not_json(json, name, flaw);
  const json_source text{plain};
  failure error;
  engine_config read = out;
  read.notes.clear();
  object_reader in{
      text.root(), "", error, {errc::config_invalid, "the configuration", true, true, &read.notes}};
  read_root(in, read, use);
  if (!error)
    error = check_config(read);
  if (!name.empty()) {
    for (auto& each : read.notes)
      each.insert(0, place_in(name, plain, json, each));
    if (error)
      error.message.insert(0, place_in(name, plain, json, error.message));
  }
  if (!error)
    out = std::move(read);
  return error;
}

} // namespace

std::string default_tool_output_folder() {
  std::error_code failed;
  auto place = std::filesystem::temp_directory_path(failed);
  return failed ? "" : (place / fmt::format("troupe-tool-output-{}", ::geteuid())).string();
}

failure parse_config(std::string_view json, engine_config& out, config_use use) {
  return parse_text(json, "", out, use);
}

failure parse_server(std::string_view name, std::string_view json, mcp_server_config& out) {
  json_source text{json};
  if (!text.fault().empty())
    return {errc::config_invalid, "the entry is not valid JSON: " + text.fault()};
  failure error;
  mcp_server_config read;
  object_reader in{text.root(), "", error, {errc::config_invalid, "the entry", true, true}};
  read_server_entry(name, in, read);
  if (!error && !read.fault.empty())
    error = {errc::config_invalid, read.fault};
  if (!error)
    out = std::move(read);
  return error;
}

failure load_config(const std::string& path, engine_config& out, config_use use) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown))
    return {errc::config_invalid, path + ": cannot be read: it is a folder"};
  std::ifstream file{path, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file)
    return {errc::config_invalid,
            path + ": cannot be read: " + std::generic_category().message(errno)};
  return parse_text(text, path, out, use);
}

} // namespace troupe

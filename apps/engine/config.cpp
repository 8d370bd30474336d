#include "apps/engine/config.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/engine/object_reader.hpp"
#include "apps/engine/server_entry.hpp"
#include "messages/wire/json_source.hpp"

namespace troupe {

namespace {

void read_deadlines(object_reader& in, http_deadlines& out) {
  in.read("connectMs", out.connect);
  in.read("firstByteMs", out.first_byte);
  in.read("idleMs", out.idle);
  in.read("totalMs", out.total);
}

void read_model(std::string_view name, object_reader& in, engine_config& out) {
  model_config model;
  model.name = name;
  in.read("provider", model.provider);
  in.read("base_url", model.base_url);
  in.read("model", model.model);
  in.read("api_key", model.api_key);
  in.read("streaming", model.streaming);
  in.read("proxy", model.proxy);
  in.read_object("timeouts", [&](auto& inner) { read_deadlines(inner, model.deadlines); });
  if (find_provider(model.provider) == nullptr)
    in.fail("provider", fmt::format("must be one of: {}", fmt::join(provider_names(), ", ")));
  if (!model.base_url.starts_with("http://") && !model.base_url.starts_with("https://"))
    in.fail("base_url", "must be an http:// or https:// URL, without the method's path");
  out.models.emplace(name, std::move(model));
}

void read_server(std::string_view name, object_reader& in, engine_config& out) {
  mcp_server_config server;
  read_server_entry(name, in, server);
  out.mcp_servers.push_back(std::move(server));
}

void read_resource_cache(object_reader& in, engine_config& out) {
  in.read("ttlMs", out.resource_ttl);
  in.read("entries", out.resource_entries, 0, 100'000);
}

void read_limits(object_reader& in, engine_limits& out) {
  constexpr int64_t gigabyte = 1 << 30;
  in.read("maxToolRoundtrips", out.max_tool_roundtrips, 0, 100);
  in.read("maxToolTextBytes", out.max_tool_text_bytes, 1024, gigabyte);
  in.read("maxSessions", out.max_sessions, 1, 100'000'000);
  in.read("sessionIdleMs", out.session_idle);
  auto drain_seconds = std::chrono::duration_cast<std::chrono::seconds>(out.drain).count();
  in.read("drainSeconds", drain_seconds, 0, 24 * 3600);
  out.drain = std::chrono::seconds{drain_seconds};
  in.read("maxConnections", out.max_connections, 1, 1'000'000);
  in.read("maxBodyBytes", out.max_body_bytes, 1024, gigabyte);
  in.read("maxHeaderBytes", out.max_header_bytes, 1024, 1 << 20);
  in.read("idleConnectionMs", out.idle_connection);
  in.read("stalledClientMs", out.stalled_client);
}

void read_root(object_reader& in, engine_config& out) {
  in.read("listen", out.listen);
  in.read("shards", out.shards, 0, 1024);
  in.read("scheduler", out.scheduler);
  in.read_objects("models", [&](auto name, auto& inner) { read_model(name, inner, out); });
  in.read("defaultModel", out.default_model);
  in.read("systemPrompt", out.system_prompt);
  in.read_objects("mcpServers", [&](auto name, auto& inner) { read_server(name, inner, out); });
  in.read("mcpAlwaysPrefix", out.mcp_always_prefix);
  in.read_object("resourceCache", [&](auto& inner) { read_resource_cache(inner, out); });
  in.read("toolOutputFolder", out.tool_output_folder);
  in.read_object("limits", [&](auto& inner) { read_limits(inner, out.limits); });
  in.finish();
  if (out.scheduler != "loop" && out.scheduler != "sharing" && out.scheduler != "stealing")
    in.fail("scheduler", "must be \"loop\", \"sharing\" or \"stealing\"");
  if (!out.default_model.empty() && !out.models.contains(out.default_model))
    in.fail("defaultModel", "names '" + out.default_model + "', which is no key of models");
}

/// Returns the variable's value; "" also when it is not set.
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

} // namespace

std::string default_tool_output_folder() {
  std::error_code failed;
  auto place = std::filesystem::temp_directory_path(failed);
  return failed ? "" : (place / fmt::format("troupe-tool-output-{}", ::geteuid())).string();
}

failure parse_config(std::string_view json, engine_config& out) {
  json_source text{json};
  if (!text.fault().empty())
    return {errc::config_invalid, "the configuration is not valid JSON: " + text.fault()};
  failure error;
  engine_config read = out;
  object_reader in{text.root(), "", error};
  read_root(in, read);
  if (!error)
    out = std::move(read);
  return error;
}

failure parse_server(std::string_view name, std::string_view json, mcp_server_config& out) {
  json_source text{json};
  if (!text.fault().empty())
    return {errc::config_invalid, "the entry is not valid JSON: " + text.fault()};
  failure error;
  mcp_server_config read;
  object_reader in{text.root(), "", error, {errc::config_invalid, "the entry", true}};
  read_server_entry(name, in, read);
  in.finish();
  if (!error)
    out = std::move(read);
  return error;
}

failure load_config(const std::string& path, engine_config& out) {
  std::ifstream file{path, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file)
    return {errc::config_invalid, path + ": can not be read"};
  auto error = parse_config(text, out);
  if (error)
    error.message = path + ": " + error.message;
  return error;
}

void add_environment_model(engine_config& config) {
  auto key = environment("OPENAI_API_KEY");
  auto url = environment("OPENAI_BASE_URL");
  auto name = environment("OPENAI_MODEL");
  if (!config.models.empty() || (key.empty() && url.empty()))
    return;
  model_config model;
  model.name = name.empty() ? "gpt-4o-mini" : name;
  model.base_url = url.empty() ? "https://api.openai.com/v1" : url;
  model.api_key = key;
  config.models.emplace(model.name, std::move(model));
}

} // namespace troupe

#include "apps/engine/configuration/config_check.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "apps/engine/configuration/cluster_entry.hpp"
#include "apps/engine/configuration/server_entry.hpp"
#include "apps/engine/configuration/time_bound.hpp"
#include "apps/model/scripted_model.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/providers.hpp"

namespace troupe {

namespace {

constexpr std::array<std::string_view, 3> schedulers{"loop", "sharing", "stealing"};
constexpr std::array<std::string_view, 3> ui_profiles{"v5-min", "v6", "v7"};

failure invalid(std::string_view path, std::string_view what) {
  return {errc::config_invalid, fmt::format("{} {}", path, what)};
}

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

failure check_model(const std::string& path, const model_config& model) {
  const auto* provider = find_provider(model.provider);
  if (provider == nullptr)
    return invalid(path + ".provider",
                   fmt::format("must be one of: {}", fmt::join(provider_names(), ", ")));
  if (auto fault = model_url_fault(model.base_url); !fault.empty())
    return invalid(path + ".base_url", fault);
  if (auto fault = api_key_fault(model.api_key); !fault.empty())
    return invalid(path + ".api_key", fault);
  if (!model.parameters.empty() && !is_json_object(model.parameters))
    return invalid(path + ".parameters", "must be an object");
  if (auto fault = provider->check != nullptr ? provider->check(model) : ""; !fault.empty())
    return {errc::config_invalid, path + "." + fault};
  return {};
}

failure check_fallback(const std::string& name, const std::map<std::string, model_config>& models) {
  auto path_of = [](const std::string& key) { return fmt::format("models.{}.fallback", key); };
  std::set<std::string_view> seen{name};
  for (auto each = models.find(name); !each->second.fallback.empty();) {
    const auto next = models.find(each->second.fallback);
    if (next == models.end())
      return invalid(path_of(each->first),
                     fmt::format("names '{}', which is no key of models", each->second.fallback));
    if (!seen.insert(next->first).second)
      return invalid(path_of(name), fmt::format("leads back to '{}'", next->first));
    each = next;
  }
  return {};
}

failure check_models(const std::map<std::string, model_config>& models) {
  for (const auto& [name, model] : models)
    if (auto bad = check_model("models." + name, model))
      return bad;
  for (const auto& [name, model] : models)
    if (auto bad = check_fallback(name, models))
      return bad;
  return {};
}

bool is_tool_pattern(std::string_view text) {
  auto slash = text.find('/');
  return slash != text.npos && slash > 0 && slash + 1 < text.size();
}

/// As a browser sends it: a scheme and an address, no path.
bool is_origin(std::string_view text) {
  auto colon = text.find("://");
  return colon != text.npos && colon > 0 && text.size() > colon + 3 &&
         text.find_first_of("/?# ", colon + 3) == text.npos;
}

failure check_words(const engine_config& in) {
  if (!is_one_of(schedulers, in.scheduler))
    return invalid("scheduler", R"(must be "loop", "sharing" or "stealing")");
  if (!is_one_of(ui_profiles, in.ui_profile))
    return invalid("uiProfile", R"(must be "v5-min", "v6" or "v7")");
  if (!std::ranges::all_of(in.limits.turn.approval.tools, is_tool_pattern))
    return invalid("toolApproval.tools", R"(must hold "SERVER/TOOL" or "SERVER/*")");
  for (const auto& each : in.cors_origins)
    if (each != "*" && !is_origin(each))
      return invalid("cors.origins",
                     R"(must hold "*" or origins like "https://example.com", without a path)");
  return {};
}

/// Returns the server without its numbers, which are not checked: a program may set any.
mcp_server_config words_of(const mcp_server_config& server) {
  mcp_server_config out;
  out.name = server.name;
  out.type = server.type;
  out.command = server.command;
  out.env = server.env;
  out.url = server.url;
  out.http_headers = server.http_headers;
  out.proxy = server.proxy;
  out.log_level = server.log_level;
  out.roots = server.roots;
  return out;
}

/// Where no model is configured, the names of scripts are known later.
failure check_aliases(const engine_config& in) {
  for (const auto& [name, model] : in.model_aliases)
    if (!in.models.empty() && !in.models.contains(model))
      return invalid("modelAliases." + name,
                     fmt::format("names '{}', which is no key of models", model));
    else if (in.models.contains(name))
      return invalid("modelAliases." + name, "is a key of models, which an alias cannot be");
  return {};
}

} // namespace

std::string_view model_url_fault(std::string_view url) {
  constexpr auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; };
  for (std::string_view scheme : {"http://", "https://"})
    if (std::ranges::equal(url.substr(0, scheme.size()), scheme, {}, lower))
      return "";
  return "must be an http:// or https:// URL, without the method's path";
}

std::string_view api_key_fault(std::string_view key) {
  auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return std::ranges::any_of(key, is_control)
             ? "must not hold control characters, such as a line end"
             : "";
}

failure check_config(const engine_config& in) {
  if (auto bad = check_words(in))
    return bad;
  if (auto bad = check_models(in.models))
    return bad;
  const auto scripted = in.models.empty() && is_script(in.default_model);
  if (!in.default_model.empty() && !in.models.contains(in.default_model) && !scripted)
    return invalid("defaultModel",
                   fmt::format("names '{}', which is no key of models", in.default_model));
  if (in.cluster && in.store.url.empty())
    return invalid("cluster", "needs \"store\", the address of the PostgreSQL database that all "
                              "nodes share");
  if (auto bad = in.cluster ? check_cluster(*in.cluster) : failure{})
    return bad;
  return check_aliases(in);
}

failure check_servers(std::vector<mcp_server_config>& servers) {
  std::set<std::string_view> names;
  for (auto& each : servers) {
    if (!names.insert(each.name).second)
      return invalid(fmt::format("mcpServers.{}", each.name), "is there twice");
    if (!each.fault.empty())
      continue; // it is not started
    mcp_server_config read;
    if (auto bad = parse_server_entry(each.name, print_server_entry(words_of(each)), read))
      return invalid(fmt::format("mcpServers.{}:", each.name), bad.message);
    each.type = std::move(read.type);
    each.roots = std::move(read.roots);
    if (auto bad = check(each))
      return bad;
    for (auto* time : {&each.connect_timeout, &each.request_timeout, &each.total_timeout,
                       &each.ping_interval, &each.ask_timeout})
      *time = bounded(*time);
  }
  return {};
}

void bound_times(engine_config& config) {
  auto& limits = config.limits;
  for (auto* time : {&limits.chats.session_idle, &limits.drain, &limits.server.idle_timeout,
                     &limits.server.stall_timeout, &limits.turn.tool_timeout,
                     &limits.turn.approval.timeout, &config.resource_ttl})
    *time = bounded(*time);
}

failure check_model_name(const engine_config& config, const std::string& model) {
  if (model.empty() || config.models.contains(model) || config.model_aliases.contains(model) ||
      config.model_aliases.contains("*"))
    return {};
  std::string known;
  for (const auto& [name, each] : config.models)
    known += ' ' + name;
  return {errc::model_unknown, "There is no model '" + model + "'; there are:" + known};
}

} // namespace troupe

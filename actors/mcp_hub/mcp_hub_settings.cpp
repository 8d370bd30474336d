#include "actors/mcp_hub/mcp_hub_settings.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/stable_hash.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// Returns whether nothing but `enabled` differs.
bool differs_in_switch_only(const mcp_entry_format& format, const mcp_server_config& a,
                            mcp_server_config b) {
  b.enabled = a.enabled;
  return format.print(a) == format.print(b);
}

} // namespace

setting setting_of_server(std::string_view server, std::string value) {
  return {std::string{server_setting_prefix}.append(server), std::move(value)};
}

/// A setting as it was read.
struct mcp_hub_settings::kept_server {
  std::string name;
  std::string base; ///< empty: it was not configured
  uint64_t place = 0;
  bool removed = false;
  bool enabled = true;
  mcp_server_config config; ///< without a name: as configured, but for `enabled`
};

mcp_hub_settings::mcp_hub_settings(mcp_entry_format format,
                                   const std::vector<mcp_server_config>& configured)
    : format_{std::move(format)} {
  for (const auto& each : configured)
    if (this->configured(each.name) == nullptr)
      configured_.push_back(each);
}

bool mcp_hub_settings::same(const mcp_server_config& a, const mcp_server_config& b) const {
  return format_.print(a) == format_.print(b);
}

std::string mcp_hub_settings::hash_of(mcp_server_config server) const {
  server.enabled = true;
  return fmt::format("{:016x}", stable_hash(format_.print(server)));
}

const mcp_server_config* mcp_hub_settings::configured(std::string_view server) const {
  auto found = std::find_if(configured_.begin(), configured_.end(),
                            [&](const auto& each) { return each.name == server; });
  return found == configured_.end() ? nullptr : &*found;
}

std::string mcp_hub_settings::base_of(std::string_view server) const {
  const auto* base = configured(server);
  return base ? fmt::format("{:016x}", stable_hash(format_.print(*base))) : std::string{};
}

uint64_t mcp_hub_settings::place_of(const std::string& server) {
  uint64_t last = 0;
  for (const auto& [name, place] : places_)
    last = std::max(last, place);
  return places_.try_emplace(server, last + 1).first->second;
}

// -- making --------------------------------------------------------------------------------------

failure mcp_hub_settings::keep(const mcp_server_config& server, setting& out) {
  auto entry = format_.print(server);
  mcp_server_config again;
  if (auto bad = format_.parse(server.name, entry, again))
    return {errc::config_invalid, fmt::format("The entry of MCP server '{}' cannot be kept: {}",
                                              server.name, bad.text())};
  const auto* base = configured(server.name);
  if (base == nullptr) {
    out = setting_of_server(
        server.name, fmt::format(R"({{"place":{},"entry":{}}})", place_of(server.name), entry));
    return {};
  }
  std::string value;
  if (!differs_in_switch_only(format_, *base, server))
    value = fmt::format(R"({{"base":"{}","entry":{}}})", base_of(server.name), entry);
  else if (base->enabled != server.enabled)
    value = fmt::format(R"({{"base":"{}","enabled":{}}})", base_of(server.name), server.enabled);
  out = setting_of_server(server.name, std::move(value));
  return {};
}

setting mcp_hub_settings::remove(const std::string& server) {
  auto base = base_of(server);
  if (base.empty())
    return setting_of_server(server, "");
  return setting_of_server(server, fmt::format(R"({{"base":"{}","removed":true}})", base));
}

// -- reading -------------------------------------------------------------------------------------

bool mcp_hub_settings::read(const setting& from, kept_server& out) const {
  out.name = from.key.substr(server_setting_prefix.size());
  json_source text{from.value};
  std::string_view base, place, removed, enabled, entry;
  read_members(text.root(), {{"base", &base},
                             {"place", &place},
                             {"removed", &removed},
                             {"enabled", &enabled},
                             {"entry", &entry}});
  out.base = json_string(base);
  out.place = static_cast<uint64_t>(std::max<int64_t>(0, integer_of(place).value_or(0)));
  out.removed = removed == "true";
  out.enabled = enabled != "false";
  if (!entry.empty())
    return !format_.parse(out.name, entry, out.config);
  return !out.base.empty() && (out.removed || kind_of(enabled) == json_kind::boolean);
}

mcp_hub_settings::result mcp_hub_settings::apply(const std::vector<setting>& kept) {
  result out;
  std::map<std::string, kept_server> over; // configured ones
  std::vector<kept_server> added;
  places_.clear();
  for (const auto& each : kept) {
    kept_server server;
    if (!read(each, server))
      out.unreadable.push_back(std::move(server.name));
    else if (!server.base.empty() && base_of(server.name).empty())
      continue; // over a server of another configuration, which may come back
    else if (server.base != base_of(server.name))
      out.dropped.push_back(std::move(server.name));
    else if (server.base.empty())
      added.push_back(std::move(server));
    else
      over[server.name] = std::move(server);
  }
  for (const auto& each : configured_) {
    auto found = over.find(each.name);
    auto changed = found != over.end();
    if (changed && found->second.removed)
      continue;
    auto replaced = changed && !found->second.config.name.empty();
    out.servers.push_back(replaced ? found->second.config : each);
    if (changed && !replaced)
      out.servers.back().enabled = found->second.enabled;
  }
  std::stable_sort(added.begin(), added.end(),
                   [](const auto& a, const auto& b) { return a.place < b.place; });
  for (auto& each : added) {
    places_[each.name] = each.place;
    out.servers.push_back(std::move(each.config));
  }
  return out;
}

} // namespace troupe

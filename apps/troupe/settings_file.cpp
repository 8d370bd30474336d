#include "apps/troupe/settings_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>

#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

using members = std::vector<std::pair<std::string, std::string>>;

members members_of(std::string_view object) {
  members out;
  for_each_member(object, [&](std::string_view key, std::string_view value) {
    out.emplace_back(key, value);
    return true;
  });
  return out;
}

std::string written(const members& all, std::string_view indent) {
  json_buffer out;
  out.push_back('{');
  for (const auto& [key, value] : all) {
    append_raw(out, &key == &all.front().first ? "\n" : ",\n");
    append_raw(out, indent);
    append_json(out, key);
    append_raw(out, ": ");
    append_raw(out, value);
  }
  out.push_back('\n');
  append_raw(out, indent.substr(2));
  out.push_back('}');
  return std::string{view(out)};
}

std::string* find(members& all, std::string_view key) {
  for (auto& [name, value] : all)
    if (name == key)
      return &value;
  return nullptr;
}

/// Follows symbolic links: a write must replace the file, not the link. The file need not exist.
std::filesystem::path behind_links(std::filesystem::path path) {
  constexpr int most = 40; // as the kernel follows
  std::error_code none;
  for (int i = 0; i < most && std::filesystem::is_symlink(path, none); ++i)
    path = path.parent_path() / std::filesystem::read_symlink(path, none);
  return path;
}

} // namespace

failure change_mcp_server(std::string& config, std::string_view server, std::string_view entry) {
  json_source source{config};
  if (!source.fault().empty() || kind_of(source.root()) != json_kind::object)
    return {errc::config_invalid, "it is not a JSON object: " + source.fault()};
  auto root = members_of(source.root());
  auto* section = find(root, "mcpServers");
  if (section == nullptr)
    section = &root.emplace_back("mcpServers", "{}").second;
  json_source inner{*section};
  auto servers = members_of(inner.root());
  auto* known = find(servers, server);
  if (entry.empty() && known == nullptr)
    return {errc::server_unknown, fmt::format("there is no MCP server '{}' in it", server)};
  if (entry.empty())
    std::erase_if(servers, [&](const auto& each) { return each.first == server; });
  else if (known != nullptr)
    *known = entry;
  else
    servers.emplace_back(server, entry);
  *section = written(servers, "    ");
  config = written(root, "  ") + '\n';
  return {};
}

std::string mcp_server_entry(std::string_view config, std::string_view server) {
  json_source source{config};
  std::string_view servers, entry;
  read_members(source.root(), {{"mcpServers", &servers}});
  read_members(servers, {{server, &entry}});
  return std::string{entry};
}

std::string with_enabled(std::string_view entry, bool enabled) {
  json_source source{entry};
  auto all = members_of(source.root());
  std::erase_if(
      all, [](const auto& each) { return each.first == "enabled" || each.first == "disabled"; });
  all.emplace_back("enabled", enabled ? "true" : "false");
  return written(all, "      ");
}

failure read_settings(const std::string& path, std::string& text) {
  std::ifstream file{path, std::ios::binary};
  if (!file && !std::filesystem::exists(path)) {
    text = "{}";
    return {};
  }
  if (std::filesystem::is_directory(path))
    return {errc::config_invalid, path + ": cannot be read: it is a folder"};
  text.assign(std::istreambuf_iterator<char>{file}, {});
  if (!file)
    return {errc::config_invalid, path + ": cannot be read: " + std::strerror(errno)};
  return {};
}

failure write_settings(const std::string& named, std::string_view text) {
  const auto path = behind_links(named).string();
  auto fresh = path + ".new";
  std::error_code failed;
  {
    auto mask = umask(077); // it may hold secrets
    std::ofstream file{fresh, std::ios::binary};
    umask(mask);
    file << text << std::flush;
    if (!file)
      return {errc::config_invalid, fresh + ": cannot be written: " + std::strerror(errno)};
  }
  if (std::filesystem::exists(path))
    std::filesystem::permissions(fresh, std::filesystem::status(path).permissions(), failed);
  std::filesystem::rename(fresh, path, failed);
  if (failed)
    return {errc::config_invalid, path + ": cannot be replaced: " + failed.message()};
  return {};
}

} // namespace troupe

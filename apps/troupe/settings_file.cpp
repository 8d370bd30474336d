#include "apps/troupe/settings_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "messages/json.hpp"
#include "messages/wire/json/commented_json.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// A change of `mcpServers`. An empty entry: the server goes.
struct json_entry_change {
  std::string_view server;
  std::string_view entry;
};

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

/// Returns whether a member of an entry says that the server is on or off.
bool is_switch(std::string_view key) {
  return key == "enabled" || key == "isActive" || key == "disabled";
}

// -- texts with comments --------------------------------------------------------------------------
// Every byte of the plain text stands where it stands in the commented one.

/// A member by its bytes.
struct member_place {
  std::string key;
  size_t key_begin = 0;
  size_t value_begin = 0;
  size_t value_end = 0;
};

struct object_place {
  size_t begin = 0; ///< its '{'
  size_t end = 0;   ///< its '}'
  std::vector<member_place> members;

  const member_place* find(std::string_view key) const {
    for (const auto& each : members)
      if (each.key == key)
        return &each;
    return nullptr;
  }
};

constexpr std::string_view space = " \t\r\n";

/// Returns where a slice of `source` stands in its text.
size_t offset_in(const json_source& source, std::string_view plain, std::string_view slice) {
  const auto root = plain.find_first_not_of(space);
  return root + static_cast<size_t>(slice.data() - source.root().data());
}

/// @param object a slice of `source`, whose text is `plain`
object_place place_of_object(const json_source& source, std::string_view plain,
                             std::string_view object) {
  object_place out;
  out.begin = offset_in(source, plain, object);
  out.end = out.begin + object.size() - 1;
  auto behind = out.begin + 1;
  for_each_member(object, [&](std::string_view key, std::string_view value) {
    const auto begin = offset_in(source, plain, value);
    out.members.push_back({std::string{key}, plain.find('"', behind), begin, begin + value.size()});
    behind = begin + value.size();
    return true;
  });
  return out;
}

/// Takes a member out, with the comma that is then too many.
void erase_member(std::string& text, std::string_view plain, const object_place& in,
                  const member_place& member) {
  const auto number = static_cast<size_t>(&member - in.members.data());
  auto end = member.value_end;
  if (number == 0 && in.members.size() > 1)
    end = plain.find(',', end) + 1;
  text.erase(member.key_begin, end - member.key_begin);
  if (number > 0)
    text.erase(plain.find(',', in.members[number - 1].value_end), 1);
}

/// Puts a member after the last one.
void insert_member(std::string& text, const object_place& in, std::string_view indent,
                   std::string_view key, std::string_view value) {
  auto made = fmt::format("\n{}{}: {}", indent, to_json(key), value);
  if (in.members.empty())
    text.insert(in.begin + 1, made + '\n' + std::string{indent.substr(2)});
  else
    text.insert(in.members.back().value_end, "," + made);
}

failure change_commented(std::string& config, const std::string& plain, const json_source& source,
                         const json_entry_change& change) {
  const auto root = place_of_object(source, plain, source.root());
  auto changed = config;
  const auto* section = root.find("mcpServers");
  if (section == nullptr) {
    insert_member(changed, root, "  ", "mcpServers",
                  fmt::format("{{\n    {}: {}\n  }}", to_json(change.server), change.entry));
  } else {
    std::string_view servers;
    read_members(source.root(), {{"mcpServers", &servers}});
    const auto list = place_of_object(source, plain, servers);
    const auto* known = list.find(change.server);
    if (change.entry.empty())
      erase_member(changed, plain, list, *known);
    else if (known != nullptr)
      changed.replace(known->value_begin, known->value_end - known->value_begin, change.entry);
    else
      insert_member(changed, list, "    ", change.server, change.entry);
  }
  if (!json_fault(plain_json(changed)).empty())
    return {errc::config_invalid, "it cannot be changed between its comments; change it by hand"};
  config = std::move(changed);
  return {};
}

/// Follows symbolic links: a write must replace the file, not the link. The file need not exist.
std::filesystem::path behind_links(std::filesystem::path path) {
  constexpr int most = 40; // as the kernel follows
  std::error_code none;
  for (int i = 0; i < most && std::filesystem::is_symlink(path, none); ++i)
    path = path.parent_path() / std::filesystem::read_symlink(path, none);
  return path;
}

/// Gives a file the mode and the owner of the one that it is to replace, if there is one: what root
/// changes stays with its user. Only root can give files away.
void keep_rights(const std::string& old, const std::string& fresh) {
  struct stat about {};
  if (::stat(old.c_str(), &about) != 0)
    return;
  [[maybe_unused]] const auto kept_owner = ::chown(fresh.c_str(), about.st_uid, about.st_gid);
  [[maybe_unused]] const auto kept_mode = ::chmod(fresh.c_str(), about.st_mode & ALLPERMS);
}

} // namespace

failure change_mcp_server(std::string& config, std::string_view server, std::string_view entry) {
  const auto plain = plain_json(config);
  json_source source{plain};
  if (!source.fault().empty() || kind_of(source.root()) != json_kind::object)
    return {errc::config_invalid, "it is not a JSON object: " + source.fault()};
  auto root = members_of(source.root());
  auto* section = find(root, "mcpServers");
  if (section == nullptr)
    section = &root.emplace_back("mcpServers", "{}").second;
  if (kind_of(*section) != json_kind::object && !is_nothing(*section))
    return {errc::config_invalid, "its mcpServers is no object; nothing was changed. `troupe mcp "
                                  "import` reads a list such as Continue's"};
  json_source inner{*section};
  auto servers = members_of(inner.root());
  auto* known = find(servers, server);
  if (entry.empty() && known == nullptr)
    return {errc::server_unknown, fmt::format("there is no MCP server '{}' in it", server)};
  if (plain != config)
    return change_commented(config, plain, source, {server, entry});
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
  const auto plain = plain_json(config);
  const json_source source{plain};
  std::string_view servers, entry;
  read_members(source.root(), {{"mcpServers", &servers}});
  read_members(servers, {{server, &entry}});
  if (entry.empty())
    return "";
  const auto begin = offset_in(source, plain, entry);
  return std::string{config.substr(begin, entry.size())};
}

std::string with_enabled(std::string_view entry, bool enabled) {
  const auto* value = enabled ? "true" : "false";
  const auto plain = plain_json(entry);
  const json_source source{plain};
  if (plain == entry) {
    auto all = members_of(source.root());
    std::erase_if(all, [](const auto& each) { return is_switch(each.first); });
    all.emplace_back("enabled", value);
    return written(all, "      ");
  }
  std::string text{entry};
  const auto place = place_of_object(source, plain, source.root());
  const auto known = std::ranges::find_if(place.members, is_switch, &member_place::key);
  if (known == place.members.end()) {
    insert_member(text, place, "      ", "enabled", value);
    return text;
  }
  const auto rest =
      std::ranges::find_if(std::next(known), place.members.end(), is_switch, &member_place::key);
  if (rest != place.members.end()) { // one is enough
    erase_member(text, plain, place, *rest);
    return with_enabled(text, enabled);
  }
  text.replace(known->key_begin, known->value_end - known->key_begin,
               fmt::format(R"("enabled": {})", value));
  return text;
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
  keep_rights(path, fresh);
  std::filesystem::rename(fresh, path, failed);
  if (failed)
    return {errc::config_invalid, path + ": cannot be replaced: " + failed.message()};
  return {};
}

} // namespace troupe

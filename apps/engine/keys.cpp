#include "apps/engine/keys.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "apps/engine/access/api_keys.hpp"
#include "transport/postgres/connection/postgres_target.hpp"
#include "transport/postgres/postgres_store.hpp"
#include "transport/sqlite/sqlite_store.hpp"

namespace troupe {

namespace {

/// A connection, and the store that it belongs to.
struct opened_keys {
  std::unique_ptr<store_port> store;
  std::unique_ptr<store_connection> connection;
};

/// Opens the keys with full durability: a key that was shown to its owner must survive a power cut.
failure open_keys(const std::string& folder, opened_keys& out) {
  failure why;
  if (folder.empty())
    return {errc::request_invalid, "Keys need a data folder."};
  out.store =
      is_postgres_url(folder) ? open_postgres_keys(folder, why) : open_sqlite_keys(folder, why);
  if (out.store)
    out.connection = out.store->open(durability::full, why);
  return out.connection ? failure{} : why;
}

/// As open_keys, but never makes the folder: a missing one is a typing mistake here.
failure open_known_keys(const std::string& folder, opened_keys& out) {
  std::error_code ignored;
  if (!folder.empty() && !is_postgres_url(folder) &&
      !std::filesystem::is_directory(folder, ignored))
    return {errc::request_invalid, "There is no data folder " + folder + "."};
  return open_keys(folder, out);
}

int64_t now_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

} // namespace

failure create_key(const std::string& folder, api_key& key, std::string& text) {
  if (auto bad = check_owner(key.owner))
    return bad;
  opened_keys keys;
  if (auto bad = open_keys(folder, keys))
    return bad;
  std::string secret;
  if (auto bad = make_key(key, secret))
    return bad;
  key.created_ms = now_ms();
  key.revoked_ms = 0;
  if (auto bad = keys.connection->put(key))
    return bad;
  text = std::move(secret);
  key.hash.clear();
  return {};
}

key_list read_keys(const std::string& folder) {
  opened_keys keys;
  if (auto bad = open_known_keys(folder, keys))
    return {std::move(bad), {}};
  auto list = keys.connection->keys({true});
  for (auto& each : list.keys)
    each.hash.clear();
  return list;
}

failure revoke_key(const std::string& folder, std::string_view id) {
  opened_keys keys;
  if (auto bad = open_known_keys(folder, keys))
    return bad;
  auto list = keys.connection->keys({true});
  if (list.error)
    return list.error;
  for (auto& each : list.keys) {
    if (each.id != id)
      continue;
    if (each.revoked_ms != 0)
      return {};
    each.revoked_ms = now_ms();
    return keys.connection->put(each);
  }
  return {errc::not_found, "There is no key with the id " + std::string{id} + "."};
}

failure grant_own_key(engine_config& config, std::string& text, const std::string& owner) {
  api_key key;
  key.owner = owner;
  key.admin = true;
  if (auto bad = make_key(key, text))
    return bad;
  config.auth.keys = true;
  config.auth.own.push_back(std::move(key));
  if (config.error_details < 0)
    config.error_details = 1; // whoever has this key runs the process
  return {};
}

} // namespace troupe

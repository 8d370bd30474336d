// Contents of MCP resources, kept for a while.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace troupe {

/// Identifies a resource: server and URI.
struct resource_key {
  std::string server;
  std::string uri;

  auto operator<=>(const resource_key&) const = default; // NOLINT(modernize-use-nullptr): sees a 0
};

/// Bounds of a cache.
struct resource_cache_limits {
  std::chrono::milliseconds ttl{5 * 60 * 1000}; ///< from the read; older contents are not given out
  size_t entries = 50;
  size_t bytes = 64 * 1024 * 1024; ///< of all results; a larger one is not kept
};

/// Results of resources/read, as JSON text. At a bound the least recently used result is dropped.
/// Not thread safe.
class resource_cache {
public:
  using time_point = std::chrono::steady_clock::time_point;

  explicit resource_cache(resource_cache_limits limits) : limits_{limits} {}

  /// Returns the result if it is not older than the ttl, else nullptr. Valid until the next call.
  const std::string* find(const resource_key& key, time_point now);

  void put(const resource_key& key, std::string result, time_point now);

  /// Drops one resource. @param key with an empty uri: all of the server
  void forget(const resource_key& key);

  void clear();

  size_t entries() const noexcept { return by_key_.size(); }
  size_t bytes() const noexcept { return bytes_; }

private:
  struct entry {
    resource_key key;
    std::string result;
    time_point read;
  };

  using entries_list = std::list<entry>; ///< the last used first

  void drop(entries_list::iterator which);

  resource_cache_limits limits_;
  entries_list by_use_;
  std::map<resource_key, entries_list::iterator> by_key_;
  size_t bytes_ = 0;
};

} // namespace troupe

// Resources that go with the next message of a chat. No actor, no I/O.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "messages/mcp/mcp_messages.hpp"
#include "messages/mcp/resource_messages.hpp"

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

/// Bounds of all attachments.
struct attachment_limits {
  size_t per_chat = 50;
  size_t chats = 10'000;                  ///< with attachments; beyond it the oldest lose theirs
  size_t text_bytes = 4 * 1024 * 1024;    ///< of one; longer is cut, with a note
  size_t total_bytes = 256 * 1024 * 1024; ///< of all; over it the oldest chats lose theirs
};

/// The resources that are attached to chats. Not thread safe.
class attachments {
public:
  explicit attachments(attachment_limits limits) : limits_{limits} {}

  /// The result of add().
  struct added {
    attachment what;    ///< without an id: refused, `error` says why
    bool fresh = false; ///< it was not there before; its contents are to be read
  };

  /// Attaches a resource; one that the chat has attached already stays as it is.
  added add(const add_attachment& ask);

  /// Removes one; returns the name of its server, or nothing when there is none of that id.
  std::optional<std::string> remove(const std::string& session_id, const std::string& id);

  /// A changed attachment, without its text, and its chat.
  struct change {
    std::string session_id;
    attachment what;
    size_t text_bytes = 0;
  };

  /// Takes the answer of a read and returns the attachments that changed. A failure changes only
  /// attachments that were loading.
  std::vector<change> loaded(const resource_key& key, const mcp_answer& answer);

  /// Marks the attachments of a resource as loading, because it will be read again.
  void reload(const resource_key& key);

  /// Gives an attachment the name and, if it has none yet, the media type that its server lists.
  void describe(const std::string& session_id, const std::string& id, const std::string& name,
                const std::string& mime_type);

  /// Returns a chat's attachments in the order in which they were added.
  std::vector<attachment> list(const std::string& session_id) const;

  /// As list(), and forgets them. An attachment that was never read has an error that says so.
  std::vector<attachment> take(const std::string& session_id);

  bool any(const std::string& session_id) const { return chats_.contains(session_id); }
  bool any() const { return !chats_.empty(); }
  bool loading(const std::string& session_id) const;

  /// Returns the attached resources that `key` names: one, or with an empty uri all of its server.
  std::vector<resource_key> attached(const resource_key& key) const;
  bool is_attached(const resource_key& key) const { return by_resource_.contains(key); }

  /// Returns the chats that have any.
  std::vector<std::string> sessions() const;

  /// Returns the chats that lost their attachments to a bound since the last call.
  std::vector<std::string> take_evicted() { return std::exchange(evicted_, {}); }

  void clear();

private:
  struct chat {
    std::vector<attachment> entries; ///< their texts are in by_resource_
    std::list<std::string>::iterator age;
  };

  /// One text for all chats that have it.
  struct resource {
    std::set<std::string> owners;
    bool was_read = false;
    std::string text;
  };

  chat& chat_of(const std::string& session_id);
  attachment* find(const std::string& session_id, const std::string& id);
  attachment whole(const attachment& entry) const;
  void set_text(resource& of, std::string text);
  void forget(const std::string& session_id);
  void disown(const std::string& session_id, const attachment& entry);
  void keep_bounds(const std::string& spared);

  attachment_limits limits_;
  std::unordered_map<std::string, chat> chats_; ///< none without entries
  std::list<std::string> by_age_; ///< the chat that attached something last is the last one
  std::map<resource_key, resource> by_resource_; ///< none without owners
  size_t bytes_ = 0;                             ///< of all texts
  std::vector<std::string> evicted_;
};

} // namespace troupe

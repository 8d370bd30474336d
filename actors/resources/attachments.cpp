#include "actors/resources/attachments.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "actors/turn/tool_output.hpp"
#include "messages/ids.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/mcp/resources.hpp"

namespace troupe {

// -- resource cache -------------------------------------------------------------------------------

const std::string* resource_cache::find(const resource_key& key, time_point now) {
  auto found = by_key_.find(key);
  if (found == by_key_.end())
    return nullptr;
  auto which = found->second;
  if (now - which->read > limits_.ttl) {
    drop(which);
    return nullptr;
  }
  by_use_.splice(by_use_.begin(), by_use_, which);
  return &which->result;
}

void resource_cache::put(const resource_key& key, std::string result, time_point now) {
  if (auto old = by_key_.find(key); old != by_key_.end())
    drop(old->second);
  if (limits_.entries == 0 || result.size() > limits_.bytes)
    return;
  while (by_key_.size() >= limits_.entries || bytes_ + result.size() > limits_.bytes)
    drop(std::prev(by_use_.end()));
  bytes_ += result.size();
  by_use_.push_front({key, std::move(result), now});
  by_key_.emplace(key, by_use_.begin());
}

void resource_cache::forget(const resource_key& key) {
  auto each = by_key_.lower_bound(key);
  while (each != by_key_.end() && each->first.server == key.server &&
         (key.uri.empty() || each->first.uri == key.uri))
    drop((each++)->second);
}

void resource_cache::clear() {
  by_use_.clear();
  by_key_.clear();
  bytes_ = 0;
}

void resource_cache::drop(entries_list::iterator which) {
  bytes_ -= which->result.size();
  by_key_.erase(which->key);
  by_use_.erase(which);
}

// -- attachments ----------------------------------------------------------------------------------

namespace {

constexpr size_t max_session_id = 256;
constexpr size_t max_uri = 8192;
constexpr size_t max_name = 128;

/// Names a resource after the end of its URI, until its server has given a name.
std::string name_of(std::string_view uri) {
  while (uri.ends_with('/'))
    uri.remove_suffix(1);
  auto slash = uri.rfind('/');
  return std::string{
      utf8_prefix(slash == std::string_view::npos ? uri : uri.substr(slash + 1), max_name)};
}

std::string fault_of(const add_attachment& ask) {
  if (ask.session_id.empty() || ask.session_id.size() > max_session_id)
    return fmt::format("The id of a chat has 1 to {} bytes.", max_session_id);
  if (ask.server.empty())
    return "An attachment needs the name of its server.";
  if (ask.uri.empty() || ask.uri.size() > max_uri)
    return fmt::format("The URI of an attachment has 1 to {} bytes.", max_uri);
  return {};
}

/// A resource's text for the model, or the error that stands in for it.
struct readable {
  failure error;
  std::string text;
  std::string mime_type;
};

readable read(const mcp_answer& answer, size_t limit) {
  if (answer.error)
    return {answer.error, {}, {}};
  std::vector<mcp::resource_contents> contents;
  if (auto bad = mcp::parse(answer.result.text, contents))
    return {bad, {}, {}};
  return {{},
          bounded_output(mcp::to_text(contents), limit),
          contents.empty() ? std::string{} : contents.front().mime_type};
}

} // namespace

attachments::added attachments::add(const add_attachment& ask) {
  added made;
  auto& what = made.what;
  what.server = ask.server;
  what.uri = ask.uri;
  what.name = name_of(ask.uri);
  what.error = fault_of(ask);
  if (auto known = chats_.find(ask.session_id); known != chats_.end()) {
    for (const auto& each : known->second.entries)
      if (each.server == ask.server && each.uri == ask.uri)
        return {whole(each), false};
    if (known->second.entries.size() >= limits_.per_chat)
      what.error = fmt::format("A chat can have {} attachments.", limits_.per_chat);
  }
  what.loading = what.error.empty();
  if (!what.loading)
    return made;
  what.id = make_id("res-");
  made.fresh = true;
  chat_of(ask.session_id).entries.push_back(what);
  by_resource_[{ask.server, ask.uri}].owners.insert(ask.session_id);
  keep_bounds(ask.session_id);
  return made;
}

/// Finds the chat or makes it, and counts it as the youngest.
attachments::chat& attachments::chat_of(const std::string& session_id) {
  auto [found, is_new] = chats_.try_emplace(session_id);
  if (is_new)
    found->second.age = by_age_.insert(by_age_.end(), session_id);
  else
    by_age_.splice(by_age_.end(), by_age_, found->second.age);
  return found->second;
}

attachment* attachments::find(const std::string& session_id, const std::string& id) {
  auto known = chats_.find(session_id);
  if (known == chats_.end())
    return nullptr;
  auto& entries = known->second.entries;
  auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return each.id == id; });
  return found == entries.end() ? nullptr : &*found;
}

std::optional<std::string> attachments::remove(const std::string& session_id,
                                               const std::string& id) {
  auto* found = find(session_id, id);
  if (found == nullptr)
    return std::nullopt;
  auto server = found->server;
  disown(session_id, *found);
  auto& entries = chats_.find(session_id)->second.entries;
  entries.erase(entries.begin() + (found - entries.data()));
  if (entries.empty())
    forget(session_id);
  return server;
}

std::vector<attachments::change> attachments::loaded(const resource_key& key,
                                                     const mcp_answer& answer) {
  auto known = by_resource_.find(key);
  if (known == by_resource_.end())
    return {};
  auto got = read(answer, limits_.text_bytes);
  if (!got.error)
    set_text(known->second, std::move(got.text));
  std::vector<change> changes;
  for (const auto& session_id : known->second.owners) {
    for (auto& each : chats_.find(session_id)->second.entries) {
      if (each.server != key.server || each.uri != key.uri || (got.error && !each.loading))
        continue;
      each.loading = false;
      each.error = got.error ? got.error.text() : std::string{};
      if (!got.mime_type.empty())
        each.mime_type = got.mime_type;
      changes.push_back({session_id, each, got.error ? 0 : known->second.text.size()});
    }
  }
  keep_bounds("");
  return changes;
}

void attachments::set_text(resource& of, std::string text) {
  bytes_ += text.size() - of.text.size();
  of.text = std::move(text);
  of.was_read = true;
}

void attachments::reload(const resource_key& key) {
  auto known = by_resource_.find(key);
  if (known == by_resource_.end())
    return;
  for (const auto& session_id : known->second.owners)
    for (auto& each : chats_.find(session_id)->second.entries)
      if (each.server == key.server && each.uri == key.uri)
        each.loading = true;
}

void attachments::describe(const std::string& session_id, const std::string& id,
                           const std::string& name, const std::string& mime_type) {
  auto* found = find(session_id, id);
  if (found == nullptr)
    return;
  if (!name.empty())
    found->name = name;
  if (found->mime_type.empty())
    found->mime_type = mime_type;
}

/// Returns a copy of the entry with its text.
attachment attachments::whole(const attachment& entry) const {
  auto out = entry;
  const auto& of = by_resource_.find({entry.server, entry.uri})->second;
  if (of.was_read && out.error.empty())
    out.text = of.text;
  return out;
}

std::vector<attachment> attachments::list(const std::string& session_id) const {
  std::vector<attachment> all;
  if (auto known = chats_.find(session_id); known != chats_.end())
    for (const auto& each : known->second.entries)
      all.push_back(whole(each));
  return all;
}

std::vector<attachment> attachments::take(const std::string& session_id) {
  auto all = list(session_id);
  for (auto& each : all) {
    if (each.loading && !by_resource_.find({each.server, each.uri})->second.was_read)
      each.error = "The MCP server did not send it in time.";
    each.loading = false;
  }
  if (!all.empty())
    forget(session_id);
  return all;
}

bool attachments::loading(const std::string& session_id) const {
  auto known = chats_.find(session_id);
  return known != chats_.end() &&
         std::any_of(known->second.entries.begin(), known->second.entries.end(),
                     [](const auto& each) { return each.loading; });
}

std::vector<resource_key> attachments::attached(const resource_key& key) const {
  std::vector<resource_key> all;
  for (auto each = by_resource_.lower_bound(key);
       each != by_resource_.end() && each->first.server == key.server &&
       (key.uri.empty() || each->first.uri == key.uri);
       ++each)
    all.push_back(each->first);
  return all;
}

std::vector<std::string> attachments::sessions() const {
  return {by_age_.begin(), by_age_.end()};
}

/// Takes the chat from the owners of a resource. The text is dropped with its last owner.
void attachments::disown(const std::string& session_id, const attachment& entry) {
  auto known = by_resource_.find({entry.server, entry.uri});
  known->second.owners.erase(session_id);
  if (!known->second.owners.empty())
    return;
  bytes_ -= known->second.text.size();
  by_resource_.erase(known);
}

void attachments::forget(const std::string& session_id) {
  auto known = chats_.find(session_id);
  for (const auto& each : known->second.entries)
    disown(session_id, each);
  by_age_.erase(known->second.age);
  chats_.erase(known);
}

void attachments::keep_bounds(const std::string& spared) {
  while (chats_.size() > limits_.chats || bytes_ > limits_.total_bytes) {
    auto oldest = by_age_.front();
    if (oldest == spared)
      return;
    forget(oldest);
    evicted_.push_back(std::move(oldest));
  }
}

void attachments::clear() {
  *this = attachments{limits_};
}

} // namespace troupe

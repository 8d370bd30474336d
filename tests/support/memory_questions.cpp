// What a store without a disk is asked about its conversations.
#include <algorithm>
#include <charconv>

#include "messages/chat/session_id.hpp"
#include "tests/support/memory_connection.hpp"

namespace troupe::test {

namespace {

template <class Item>
failure page(const std::vector<Item>& all, const std::string& cursor, size_t limit,
             std::vector<Item>& out, std::string& next) {
  size_t at = 0;
  const auto* end = cursor.data() + cursor.size();
  if (!cursor.empty() && std::from_chars(cursor.data(), end, at).ptr != end)
    return {errc::request_invalid, "no cursor"};
  for (; at < all.size() && out.size() < limit; ++at)
    out.push_back(all[at]);
  if (at < all.size())
    next = std::to_string(at);
  return {};
}

} // namespace

conversation_page memory_connection::list(const list_conversations& ask) {
  std::lock_guard guard{store_.mutex};
  conversation_page out;
  if (store_.loading)
    return {store_.loading, {}, ""};
  std::vector<conversation_info> all;
  for (const auto& [id, chat] : data().chats)
    if (owner_of(id) == ask.owner)
      all.push_back(chat.kept.info);
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.updated_ms > b.updated_ms; });
  out.error = page(all, ask.cursor, ask.limit, out.conversations, out.next);
  return out;
}

search_page memory_connection::search(const search_conversations& ask) {
  std::lock_guard guard{store_.mutex};
  search_page out;
  if (store_.loading)
    return {store_.loading, {}, ""};
  std::vector<search_hit> all;
  for (const auto& [id, chat] : data().chats)
    for (const auto& each : chat.kept.messages)
      if (owner_of(id) == ask.owner && each.message.text.find(ask.query) != std::string::npos)
        all.push_back({chat.kept.info.id, chat.kept.info.title, each.message.id, each.message.who,
                       '\2' + ask.query + '\3', each.created_ms});
  out.error = page(all, ask.cursor, ask.limit, out.hits, out.next);
  return out;
}

conversation_answer memory_connection::get(const get_conversation& ask) {
  std::lock_guard guard{store_.mutex};
  if (store_.loading)
    return {store_.loading, {}};
  auto* found = data().find(ask.session_id);
  if (found == nullptr)
    return {{errc::conversation_unknown, ""}, {}};
  return {{}, found->kept};
}

usage_table memory_connection::used(const usage_query& ask) {
  std::lock_guard guard{store_.mutex};
  usage_table out{store_.loading, {}};
  for (const auto& [key, row] : data().used)
    if (key.substr(0, key.find('\n')) == ask.owner && (ask.from.empty() || row.day >= ask.from) &&
        (ask.to.empty() || row.day <= ask.to))
      out.rows.push_back(row);
  return out;
}

} // namespace troupe::test

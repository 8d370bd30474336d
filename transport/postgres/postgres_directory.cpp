#include "transport/postgres/postgres_directory.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/chat/session_id.hpp"
#include "transport/postgres/postgres_membership.hpp"
#include "transport/postgres/postgres_nodes.hpp"

namespace troupe {

namespace {

failure no_node(const std::string& name) {
  return {errc::not_found,
          fmt::format("there is no node '{}'; `troupe cluster status` lists them", name)};
}

} // namespace

chat_owner postgres_directory::read_owner(failure error, postgres_rows& rows) const {
  chat_owner out;
  out.error = std::move(error);
  if (!out.error && rows.next()) {
    out.incarnation = rows.natural(0);
    out.epoch = rows.natural(1);
    out.address = rows.text(2);
  }
  return out;
}

/// A chat whose node is dead is nobody's. It is freed at once: who looks for its turn is to hear
/// that it was interrupted, and not that there is none. A node with a late lease, which this one
/// may not judge about, is asked still: it may live, and else somebody judges soon.
chat_owner postgres_directory::find(const find_owner& ask) {
  db_.doing("look who runs a chat");
  postgres_rows rows;
  auto error = db_.ask("SELECT c.node, c.epoch, coalesce(n.address, ''), (n.address IS NOT NULL "
                       "AND n.state <> 2 AND n.lease_until > clock_timestamp())::int, c.id "
                       "FROM conversations c LEFT JOIN nodes n ON n.incarnation = c.node "
                       "WHERE c.owner = (SELECT o.id FROM owners o WHERE o.name = $1) "
                       "AND c.name = $2 AND c.node <> 0 AND c.node <> $3",
                       postgres_values{owner_of(ask.session_id), public_id(ask.session_id),
                                       self_.lease->incarnation()},
                       rows);
  auto out = read_owner(std::move(error), rows);
  if (out.error || out.incarnation == 0 || rows.integer(3) != 0)
    return out;
  bool dead = false;
  auto failed = free_of_dead(out, rows.integer(4), dead);
  if (!failed && !dead && !out.address.empty())
    return out;
  chat_owner nobody;
  nobody.error = std::move(failed);
  return nobody;
}

/// @param dead whether this node may say so, and has freed the chat
failure postgres_directory::free_of_dead(const chat_owner& of, int64_t chat, bool& dead) {
  uint64_t count = 0;
  db_.begin();
  auto error = is_dead_node(db_, *self_.lease, of.incarnation, dead);
  if (!error && dead) {
    queue_burial(db_, of.incarnation);
    error = interrupt_turns(db_, {of.incarnation, chat, of.epoch}, now_ms_(), count);
  }
  if (!error)
    error = db_.commit();
  if (error)
    db_.roll_back();
  else
    self_.counts->takeovers += count;
  return error;
}

node_list postgres_directory::nodes() {
  db_.doing("list the nodes");
  return read_nodes(db_, self_.lease->incarnation());
}

chat_owner postgres_directory::take(const claim_orphan& ask) {
  db_.doing("free a chat that nobody runs");
  postgres_chat row;
  uint64_t count = 0;
  auto error = find_chat(db_, ask.session_id, row);
  if (!error && row.key != 0 && ask.incarnation != 0 && ask.epoch != 0 &&
      row.fence == chat_fence{ask.incarnation, ask.epoch})
    error = interrupt_turns(db_, {ask.incarnation, row.key, ask.epoch}, now_ms_(), count);
  if (!error)
    return find({ask.session_id});
  chat_owner out;
  out.error = std::move(error);
  return out;
}

failure postgres_directory::drain(const std::string& name) {
  db_.doing("have a node drain");
  postgres_rows rows;
  if (auto error = db_.ask("UPDATE nodes n SET wanted = 1 WHERE n.name = $1 AND NOT is_dead(n) "
                           "RETURNING 1",
                           postgres_values{name}, rows))
    return error;
  return rows.next() ? failure{} : no_node(name);
}

failure postgres_directory::forget(const std::string& name, uint64_t& freed) {
  db_.doing("forget a node");
  postgres_rows rows;
  if (auto error = db_.ask("SELECT n.incarnation, is_dead(n)::int FROM nodes n WHERE n.name = $1",
                           postgres_values{name}, rows))
    return error;
  if (rows.size() == 0)
    return no_node(name);
  bool lives = false;
  swept_turns swept{0, true};
  while (rows.next()) {
    lives = lives || rows.integer(1) == 0;
    for (swept.more = rows.integer(1) == 1; swept.more;)
      if (auto error = sweep_piece(db_, rows.natural(0), now_ms_(), swept))
        return error;
  }
  freed = swept.count;
  return lives ? failure{errc::request_invalid,
                         fmt::format("the node '{}' lives; end it first, or wait until its lease "
                                     "is over",
                                     name)}
               : failure{};
}

} // namespace troupe

#include "transport/postgres/postgres_store_connection.hpp"

#include <utility>

#include "transport/postgres/postgres_index.hpp"
#include "transport/postgres/postgres_keys.hpp"
#include "transport/postgres/postgres_nodes.hpp"
#include "transport/postgres/postgres_reading.hpp"
#include "transport/postgres/postgres_search.hpp"

namespace troupe {

postgres_store_connection::postgres_store_connection(const postgres_manner& manner)
    : manner_{manner}, db_{manner.at}, owners_{db_, manner.quota}, saver_{db_, owners_,
                                                                          manner.self} {}

// -- the transaction ------------------------------------------------------------------------------

failure postgres_store_connection::begin() {
  spoiled_ = {};
  db_.begin();
  return {};
}

failure postgres_store_connection::commit() {
  doing("write");
  if (spoiled_)
    return std::exchange(spoiled_, {});
  auto error = db_.commit();
  if (error)
    undo();
  return error;
}

void postgres_store_connection::roll_back() {
  undo();
  spoiled_ = {};
}

void postgres_store_connection::undo() {
  db_.roll_back();
  saver_.forget_all();
  owners_.forget();
}

template <class Body>
failure postgres_store_connection::write(const char* what, Body body) {
  if (spoiled_)
    return spoiled_;
  doing(what);
  const bool own = !db_.in_transaction();
  if (own)
    db_.begin();
  else
    db_.add("SAVEPOINT before_this");
  auto error = body();
  if (own && !error)
    error = db_.commit();
  if (!error)
    return {};
  if (own) {
    undo();
    return error;
  }
  db_.add("ROLLBACK TO SAVEPOINT before_this");
  if (auto worse = db_.run()) {
    undo();
    spoiled_ = worse;
  }
  owners_.forget();
  return error;
}

template <class Answer, class Body>
Answer postgres_store_connection::ask_for(const char* what, Body body) {
  db_.doing(what);
  db_.patience(manner_.question);
  db_.deadline().limit(manner_.question);
  Answer out = body();
  db_.deadline().limit(std::chrono::milliseconds{0});
  return out;
}

// -- chats ----------------------------------------------------------------------------------------

chat_record postgres_store_connection::load(const load_chat& ask) {
  doing("load a chat");
  return read_whole_chat(db_, ask, manner_.self.lease->incarnation());
}

bool postgres_store_connection::load_at_once(const load_chat& ask, chat_record& out) {
  doing("load a chat");
  bool exists = false;
  out.session_id = ask.session_id;
  out.error = saver_.look(ask.session_id, out, exists);
  return !exists;
}

save_answer postgres_store_connection::save(const save_chat& ask) {
  std::vector<save_answer> all;
  auto error = save_all({&ask}, all);
  if (!error)
    return std::move(all.front());
  save_answer out;
  out.session_id = ask.session_id;
  out.number = ask.number;
  out.error = std::move(error);
  return out;
}

failure postgres_store_connection::save_all(const std::vector<const save_chat*>& asks,
                                            std::vector<save_answer>& out) {
  if (spoiled_)
    return spoiled_;
  doing("save a chat");
  auto error = saver_.save_all(asks, manner_.now_ms(), out);
  if (error && db_.in_transaction()) {
    undo();
    spoiled_ = error;
  }
  return error;
}

failure postgres_store_connection::make_change(const change_conversation& ask,
                                               conversation_info& out) {
  saver_.forget(ask.session_id);
  saver_.forget(ask.to);
  const postgres_changer changer{db_, owners_, manner_.self.lease->incarnation()};
  auto error = changer.apply(ask, manner_.now_ms(), out);
  owners_.forget_holdings();
  return error;
}

info_answer postgres_store_connection::change(const change_conversation& ask) {
  info_answer out;
  out.error = write("change a conversation", [&] { return make_change(ask, out.info); });
  return out;
}

std::unique_ptr<staged_change> postgres_store_connection::stage(change_conversation& ask) {
  doing("change a conversation");
  bool is_long = false;
  if (is_long_change(db_, ask, is_long) || !is_long)
    return nullptr; // change() meets the same failure
  owners_.forget_holdings();
  return stage_change(manner_.at, owners_, std::move(ask), manner_.now_ms());
}

// -- questions ------------------------------------------------------------------------------------

conversation_page postgres_store_connection::list(const list_conversations& ask) {
  return ask_for<conversation_page>("list conversations", [&] { return list_chats(db_, ask); });
}

search_page postgres_store_connection::search(const search_conversations& ask) {
  return ask_for<search_page>("search conversations",
                              [&] { return search_postgres(db_, ask, manner_.now_ms()); });
}

conversation_answer postgres_store_connection::get(const get_conversation& ask) {
  return ask_for<conversation_answer>("read a conversation",
                                      [&] { return read_whole_conversation(db_, ask); });
}

usage_table postgres_store_connection::used(const usage_query& ask) {
  return ask_for<usage_table>("read what was used", [&] {
    auto out = read_postgres_usage(db_, ask);
    out.quota = manner_.quota;
    if (!out.error)
      out.error = read_owner_holdings(db_, ask.owner, out.kept);
    return out;
  });
}

// -- settings and keys ----------------------------------------------------------------------------

setting_list postgres_store_connection::settings(const list_settings& ask) {
  doing("read settings");
  return read_postgres_settings(db_, ask);
}

failure postgres_store_connection::put(const setting& value) {
  return write("write a setting", [&] { return write_postgres_setting(db_, value); });
}

key_list postgres_store_connection::keys(const list_keys& ask) {
  return ask_for<key_list>("read keys", [&] { return read_postgres_keys(db_, ask); });
}

failure postgres_store_connection::put(const api_key& key) {
  return write("write a key", [&] { return write_postgres_key(db_, key); });
}

// -- copies of the whole store --------------------------------------------------------------------

owner_list postgres_store_connection::owners(const list_owners& ask) {
  doing("read owners");
  return read_postgres_owners(db_, ask);
}

failure postgres_store_connection::put(const owner_usage& what) {
  return write("write what was used", [&] {
    int64_t owner = 0;
    auto error = owners_.number_of(what.owner, owner);
    return error ? error : set_postgres_usage(db_, owner, what.rows);
  });
}

// -- upkeep ---------------------------------------------------------------------------------------

failure postgres_store_connection::close_running_turns(uint64_t& out) {
  saver_.forget_all();
  return write("close interrupted turns",
               [&] { return free_chats_of_dead(db_, *manner_.self.lease, manner_.now_ms(), out); });
}

failure postgres_store_connection::tidy(bool& more) {
  doing("tidy up");
  if (auto error = clear_removed(db_, more); error || more || indexed_)
    return error;
  bool waits = false;
  if (auto error = texts_wait(db_, waits))
    return error;
  indexed_ = !waits;
  return waits ? write("index texts", [&] { return index_again(db_, more); }) : failure{};
}

failure postgres_store_connection::in_place() {
  return manner_.hold == nullptr ? failure{} : manner_.hold->check();
}

failure postgres_store_connection::probe() {
  return write("write", [&] {
    db_.add("UPDATE counters SET value = value + 1 WHERE name = 'probes'");
    return db_.run();
  });
}

uint64_t postgres_store_connection::keys_version() {
  db_.doing("read keys");
  db_.patience(manner_.question); // lists wait behind this
  return count_postgres_key_changes(db_);
}

} // namespace troupe

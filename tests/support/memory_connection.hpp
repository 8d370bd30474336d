// One way into a store without a disk.
#pragma once

#include <algorithm>
#include <charconv>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/support/memory_disk.hpp"

namespace troupe::test {

/// Sees what is committed, and in a transaction what it wrote itself.
class memory_connection : public store_connection {
public:
  /// @param node that asks; 0: there are no others
  explicit memory_connection(memory_disk& store, uint64_t node = 0) : store_{store}, node_{node} {
    ++store_.connections;
  }
  ~memory_connection() override {
    std::lock_guard guard{store_.mutex};
    --store_.connections;
  }

  failure begin() override {
    if (store_.at_begin)
      store_.at_begin();
    std::lock_guard guard{store_.mutex};
    ++store_.begins;
    if (store_.beginning)
      return store_.beginning;
    mine_ = std::make_unique<memory_data>(store_.data);
    return {};
  }

  failure commit() override {
    if (store_.at_commit)
      store_.at_commit();
    std::lock_guard guard{store_.mutex};
    auto bad = store_.committing;
    for (const auto& each : written_)
      if (!bad && !store_.poisoned.empty() && each == store_.poisoned)
        bad = {errc::store_failed, "poisoned"};
    if (!bad) {
      store_.data = std::move(*mine_);
      store_.commits.push_back(written_);
    }
    forget();
    return bad;
  }

  void roll_back() override {
    std::lock_guard guard{store_.mutex};
    ++store_.roll_backs;
    forget();
  }

  chat_record load(const load_chat& ask) override {
    std::lock_guard guard{store_.mutex};
    ++store_.loads;
    auto out = data().load(ask, node_);
    if (store_.loading)
      out = {ask.session_id, store_.loading, 0, {}, {}, {}, {}, {}};
    return out;
  }

  bool load_at_once(const load_chat& ask, chat_record& out) override {
    {
      std::lock_guard guard{store_.mutex};
      if (store_.readings > 0 && data().find(ask.session_id) != nullptr)
        return false;
    }
    out = load(ask);
    return true;
  }

  save_answer save(const save_chat& ask) override {
    std::lock_guard guard{store_.mutex};
    ++store_.saves;
    if (store_.thrower == ask.session_id && !std::exchange(store_.thrower, "").empty())
      throw std::runtime_error{"the store is broken"};
    if (store_.saving)
      return {ask.session_id, ask.number, 0, store_.saving};
    written_.push_back(ask.session_id);
    return data().save(ask, node_);
  }

  bool gathers() const override { return store_.gathers; }

  failure save_all(const std::vector<const save_chat*>& asks,
                   std::vector<save_answer>& out) override {
    store_.gathered.push_back(asks.size());
    const bool own = !mine_;
    if (auto bad = own ? begin() : failure{})
      return bad;
    if (auto bad = store_connection::save_all(asks, out))
      return bad;
    for (const auto& each : out)
      if (each.error && each.error.code == store_.saving.code)
        return roll_back(), each.error;
    return own ? commit() : failure{};
  }

  info_answer change(const change_conversation& ask) override {
    return write<info_answer>(ask.session_id,
                              [&](memory_data& in) { return in.change(ask, node_); });
  }

  std::unique_ptr<staged_change> stage(change_conversation& ask) override {
    if (store_.pieces == 0)
      return nullptr;
    return std::make_unique<memory_change>(*this, std::move(ask));
  }

  // -- questions ---------------------------------------------------------------------------------

  /// The cursor is the number of the first one.
  conversation_page list(const list_conversations& ask) override {
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

  /// Finds the query as it is.
  search_page search(const search_conversations& ask) override {
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

  conversation_answer get(const get_conversation& ask) override {
    std::lock_guard guard{store_.mutex};
    if (store_.loading)
      return {store_.loading, {}};
    auto* found = data().find(ask.session_id);
    if (found == nullptr)
      return {{errc::conversation_unknown, ""}, {}};
    return {{}, found->kept};
  }

  usage_table used(const usage_query& ask) override {
    std::lock_guard guard{store_.mutex};
    usage_table out{store_.loading, {}};
    for (const auto& [key, row] : data().used)
      if (key.substr(0, key.find('\n')) == ask.owner && (ask.from.empty() || row.day >= ask.from) &&
          (ask.to.empty() || row.day <= ask.to))
        out.rows.push_back(row);
    return out;
  }

  // -- settings and keys -------------------------------------------------------------------------

  setting_list settings(const list_settings& ask) override {
    std::lock_guard guard{store_.mutex};
    setting_list out{store_.loading, {}};
    for (const auto& [key, value] : data().settings)
      if (key.compare(0, ask.prefix.size(), ask.prefix) == 0)
        out.settings.push_back({key, value});
    return out;
  }

  failure put(const setting& value) override {
    return write<failure>("", [&](memory_data& in) -> failure {
      if (value.value.empty())
        in.settings.erase(value.key);
      else
        in.settings[value.key] = value.value;
      return {};
    });
  }

  key_list keys(const list_keys& ask) override {
    std::lock_guard guard{store_.mutex};
    key_list out{store_.loading, {}};
    for (const auto& [id, key] : data().keys)
      if (ask.revoked_too || key.revoked_ms == 0)
        out.keys.push_back(key);
    std::stable_sort(out.keys.begin(), out.keys.end(),
                     [](const auto& a, const auto& b) { return a.created_ms < b.created_ms; });
    return out;
  }

  failure put(const api_key& key) override {
    return write<failure>("", [&](memory_data& in) -> failure {
      in.keys[key.id] = key;
      ++store_.keys_version;
      return {};
    });
  }

  // -- upkeep ------------------------------------------------------------------------------------

  failure close_running_turns(uint64_t& out) override {
    std::lock_guard guard{store_.mutex};
    ++store_.closes;
    if (store_.saving)
      return store_.saving;
    out = data().close_running_turns(node_);
    return {};
  }

  failure tidy(bool& more) override {
    if (store_.at_tidy)
      store_.at_tidy();
    std::lock_guard guard{store_.mutex};
    ++store_.tidies;
    store_.tidy_work -= store_.tidy_work > 0 ? 1 : 0;
    more = store_.tidy_work > 0;
    return store_.tidying;
  }

  failure in_place() override {
    std::lock_guard guard{store_.mutex};
    return store_.moved;
  }

  failure probe() override {
    std::lock_guard guard{store_.mutex};
    ++store_.probes;
    return store_.probing;
  }

  uint64_t keys_version() override {
    std::lock_guard guard{store_.mutex};
    return store_.keys_version;
  }

private:
  /// Does nothing until its last piece.
  class memory_change : public staged_change {
  public:
    memory_change(memory_connection& of, change_conversation&& ask)
        : of_{of}, ask_{std::move(ask)}, left_{of.store_.pieces} {}

    failure step(bool& more, conversation_info& out) override {
      of_.store_.pieced.push_back(ask_.session_id);
      more = --left_ > 0;
      if (more || of_.store_.changing)
        return of_.store_.changing;
      if (auto bad = of_.begin())
        return bad;
      auto done = of_.change(ask_);
      out = done.info;
      if (!done.error)
        return of_.commit();
      of_.roll_back();
      return done.error;
    }

  private:
    memory_connection& of_;
    change_conversation ask_;
    uint64_t left_;
  };

  memory_data& data() { return mine_ ? *mine_ : store_.data; }

  void forget() {
    mine_.reset();
    written_.clear();
  }

  template <class Answer, class Change>
  Answer write(const std::string& session_id, Change change) {
    std::lock_guard guard{store_.mutex};
    if (store_.changing)
      return failed<Answer>(store_.changing);
    written_.push_back(session_id);
    return change(data());
  }

  template <class Answer>
  static Answer failed(const failure& why) {
    if constexpr (std::is_same_v<Answer, failure>)
      return why;
    else
      return Answer{why, {}};
  }

  template <class Item>
  static failure page(const std::vector<Item>& all, const std::string& cursor, size_t limit,
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

  memory_disk& store_;
  uint64_t node_;
  std::unique_ptr<memory_data> mine_; ///< in a transaction: what is committed, and its own writes
  std::vector<std::string> written_;
};

} // namespace troupe::test

#include "tests/support/memory_connection.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "messages/chat/session_id.hpp"

namespace troupe::test {

namespace {

template <class Answer>
Answer failed(const failure& why) {
  if constexpr (std::is_same_v<Answer, failure>)
    return why;
  else
    return Answer{why, {}};
}

} // namespace

/// Does nothing until its last piece.
class memory_connection::memory_change : public staged_change {
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

memory_connection::memory_connection(memory_disk& store, uint64_t node)
    : store_{store}, node_{node} {
  ++store_.connections;
}

memory_connection::~memory_connection() {
  std::lock_guard guard{store_.mutex};
  --store_.connections;
}

void memory_connection::forget() {
  mine_.reset();
  written_.clear();
}

template <class Answer, class Change>
Answer memory_connection::write(const std::string& session_id, Change change) {
  std::lock_guard guard{store_.mutex};
  if (store_.changing)
    return failed<Answer>(store_.changing);
  written_.push_back(session_id);
  return change(data());
}

failure memory_connection::begin() {
  if (store_.at_begin)
    store_.at_begin();
  std::lock_guard guard{store_.mutex};
  ++store_.begins;
  if (store_.beginning)
    return store_.beginning;
  mine_ = std::make_unique<memory_data>(store_.data);
  return {};
}

failure memory_connection::commit() {
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

void memory_connection::roll_back() {
  std::lock_guard guard{store_.mutex};
  ++store_.roll_backs;
  forget();
}

chat_record memory_connection::load(const load_chat& ask) {
  std::lock_guard guard{store_.mutex};
  ++store_.loads;
  auto out = data().load(ask, node_);
  if (store_.loading)
    out = {ask.session_id, store_.loading, 0, {}, {}, {}, {}, {}};
  return out;
}

bool memory_connection::load_at_once(const load_chat& ask, chat_record& out) {
  {
    std::lock_guard guard{store_.mutex};
    if (store_.readings > 0 && data().find(ask.session_id) != nullptr)
      return false;
  }
  out = load(ask);
  return true;
}

save_answer memory_connection::save(const save_chat& ask) {
  std::lock_guard guard{store_.mutex};
  ++store_.saves;
  if (store_.thrower == ask.session_id && !std::exchange(store_.thrower, "").empty())
    throw std::runtime_error{"the store is broken"};
  if (store_.saving)
    return {ask.session_id, ask.number, 0, store_.saving};
  if (!store_.unfit.empty() && store_.unfit == ask.session_id)
    return {ask.session_id, ask.number, 0, {errc::store_failed, "unfit"}};
  written_.push_back(ask.session_id);
  return data().save(ask, node_);
}

failure memory_connection::save_all(const std::vector<const save_chat*>& asks,
                                    std::vector<save_answer>& out) {
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

info_answer memory_connection::change(const change_conversation& ask) {
  return write<info_answer>(ask.session_id, [&](memory_data& in) { return in.change(ask, node_); });
}

std::unique_ptr<staged_change> memory_connection::stage(change_conversation& ask) {
  if (store_.pieces == 0)
    return nullptr;
  return std::make_unique<memory_change>(*this, std::move(ask));
}

// -- settings and keys ----------------------------------------------------------------------------

setting_list memory_connection::settings(const list_settings& ask) {
  std::lock_guard guard{store_.mutex};
  setting_list out{store_.loading, {}};
  for (const auto& [key, value] : data().settings)
    if (key.compare(0, ask.prefix.size(), ask.prefix) == 0)
      out.settings.push_back({key, value});
  return out;
}

failure memory_connection::put(const setting& value) {
  return write<failure>("", [&](memory_data& in) -> failure {
    if (value.value.empty())
      in.settings.erase(value.key);
    else
      in.settings[value.key] = value.value;
    return {};
  });
}

key_list memory_connection::keys(const list_keys& ask) {
  std::lock_guard guard{store_.mutex};
  key_list out{store_.loading, {}};
  for (const auto& [id, key] : data().keys)
    if (ask.revoked_too || key.revoked_ms == 0)
      out.keys.push_back(key);
  std::stable_sort(out.keys.begin(), out.keys.end(),
                   [](const auto& a, const auto& b) { return a.created_ms < b.created_ms; });
  return out;
}

failure memory_connection::put(const api_key& key) {
  return write<failure>("", [&](memory_data& in) -> failure {
    in.keys[key.id] = key;
    ++store_.keys_version;
    return {};
  });
}

owner_list memory_connection::owners(const list_owners&) {
  std::lock_guard guard{store_.mutex};
  std::set<std::string> all;
  for (const auto& [id, chat] : data().chats)
    all.emplace(owner_of(id));
  for (const auto& [key, row] : data().used)
    all.insert(key.substr(0, key.find('\n')));
  return {store_.loading, {all.begin(), all.end()}, 0};
}

failure memory_connection::put(const owner_usage& what) {
  return write<failure>("", [&](memory_data& in) -> failure {
    for (const auto& row : what.rows)
      in.used[what.owner + '\n' + row.day + '\n' + row.model] = row;
    return {};
  });
}

// -- upkeep ---------------------------------------------------------------------------------------

failure memory_connection::close_running_turns(uint64_t& out) {
  std::lock_guard guard{store_.mutex};
  ++store_.closes;
  if (store_.saving)
    return store_.saving;
  out = data().close_running_turns(node_);
  return {};
}

failure memory_connection::tidy(bool& more) {
  if (store_.at_tidy)
    store_.at_tidy();
  std::lock_guard guard{store_.mutex};
  ++store_.tidies;
  store_.tidy_work -= store_.tidy_work > 0 ? 1 : 0;
  more = store_.tidy_work > 0;
  return store_.tidying;
}

failure memory_connection::in_place() {
  std::lock_guard guard{store_.mutex};
  return store_.moved;
}

failure memory_connection::probe() {
  std::lock_guard guard{store_.mutex};
  ++store_.probes;
  return store_.probing;
}

uint64_t memory_connection::keys_version() {
  std::lock_guard guard{store_.mutex};
  return store_.keys_version;
}

} // namespace troupe::test

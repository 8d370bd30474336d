#include "transport/store/owner_copy.hpp"

#include <algorithm>
#include <utility>

#include "messages/chat/session_id.hpp"
#include "messages/json.hpp"
#include "transport/store/piece_size.hpp"

namespace troupe {

namespace {

constexpr size_t most_in_transaction = 64;
constexpr uint32_t list_piece = 1000;

/// Appends all conversations of an owner, the one that was changed last first.
failure list_all(store_connection& in, const std::string& owner,
                 std::vector<conversation_info>& out) {
  list_conversations ask{owner, list_piece, {}};
  do {
    auto page = in.list(ask);
    if (page.error)
      return page.error;
    for (auto& each : page.conversations) {
      each.title = {}; // comes with the conversation; a list may be very long
      out.push_back(std::move(each));
    }
    ask.cursor = std::move(page.next);
  } while (!ask.cursor.empty());
  return {};
}

bool is_same(const conversation_info& here, const conversation_info& there) {
  return there.version >= here.version && there.messages == here.messages &&
         there.updated_ms == here.updated_ms;
}

/// Returns whether events of a turn are kept beside it.
bool may_have_events(const conversation& what) {
  if (what.turns.empty() || !what.turns.back().resumable)
    return false;
  const auto state = what.turns.back().state;
  return state == turn_state::running || state == turn_state::interrupted;
}

} // namespace

failure owner_copy::run(const std::string& owner) {
  owner_ = owner;
  there_.clear();
  place_ = 0;
  auto error = copy_usage();
  if (!error)
    error = copy_all();
  if (!error)
    error = commit();
  if (error && std::exchange(in_transaction_, 0) > 0)
    way_.to.roll_back();
  return error;
}

failure owner_copy::copy_usage() {
  auto rows = way_.from.used({owner_, {}, {}});
  const auto there = way_.to.used({owner_, {}, {}});
  if (rows.error || there.error)
    return rows.error ? rows.error : there.error;
  std::erase_if(rows.rows, [&](const usage_row& row) {
    return std::ranges::any_of(there.rows, [&](const usage_row& each) {
      const bool is_there = each.day == row.day && each.model == row.model;
      return is_there && (!takes_over_ || to_json(each) == to_json(row));
    });
  });
  if (rows.rows.empty())
    return {};
  auto error = way_.to.put(owner_usage{owner_, rows.rows});
  report_.usage_rows += error ? 0 : rows.rows.size();
  return error;
}

failure owner_copy::copy_all() {
  std::vector<conversation_info> all, there;
  if (auto error = list_all(way_.from, owner_, all))
    return error;
  if (auto error = list_all(way_.to, owner_, there))
    return error;
  for (auto& each : there)
    there_.emplace(each.id, std::move(each));
  for (auto each = all.rbegin(); each != all.rend(); ++each)
    if (auto error = copy(*each))
      return error;
  return takes_over_ ? remove_gone() : failure{};
}

failure owner_copy::copy(const conversation_info& info) {
  place_ = std::max(place_, info.updated_ms);
  const auto there = there_.extract(info.id);
  if (there && is_same(info, there.mapped())) {
    ++report_.there;
    return {};
  }
  if (there && !takes_over_)
    return settle(info.id,
                  {errc::conversation_exists, "it is there already, and is another one: it stays"},
                  false);
  change_conversation ask;
  auto error = read(info, ask);
  if (error.code == errc::store_damaged || error.code == errc::conversation_unknown)
    return settle(info.id, {errc::conversation_unknown, error.text()}, false);
  return error ? error : put(std::move(ask), !there.empty());
}

failure owner_copy::read(const conversation_info& info, change_conversation& out) {
  out.session_id = scoped_id(owner_, info.id);
  out.verb = conversation_verb::import;
  auto found = way_.from.get({out.session_id});
  if (found.error)
    return found.error;
  out.content = std::move(found.found);
  out.from.exact = true;
  out.from.place = place_;
  if (!may_have_events(out.content))
    return {};
  load_chat ask;
  ask.session_id = out.session_id;
  auto record = way_.from.load(ask);
  out.from.events = std::move(record.events);
  return record.error;
}

failure owner_copy::put(change_conversation&& ask, bool replaces) {
  const auto id = std::string{public_id(ask.session_id)};
  auto error = is_long(ask.content) ? put_long(std::move(ask), replaces) : put_short(ask, replaces);
  if (auto worse = settle(id, std::move(error), replaces))
    return worse;
  return in_transaction_ < most_in_transaction ? failure{} : commit();
}

failure owner_copy::put_short(const change_conversation& ask, bool replaces) {
  auto error = begin();
  if (!error && replaces)
    error = remove(ask.session_id, true);
  return error ? error : way_.to.change(ask).error;
}

failure owner_copy::put_long(change_conversation&& ask, bool replaces) {
  auto error = commit();
  if (!error && replaces)
    error = remove(ask.session_id, true);
  if (error)
    return error;
  auto work = way_.to.stage(ask);
  if (!work)
    return way_.to.change(ask).error;
  conversation_info info;
  for (bool more = true; more && !error;)
    error = work->step(more, info);
  return error;
}

failure owner_copy::remove(const std::string& session_id, bool replaces) {
  change_conversation ask;
  ask.session_id = session_id;
  ask.from.exact = replaces;
  ask.verb = conversation_verb::remove;
  return way_.to.change(ask).error;
}

/// An earlier copy brought them.
failure owner_copy::remove_gone() {
  for (const auto& [id, info] : there_) {
    const auto gone = scoped_id(owner_, id);
    auto error = begin();
    if (!error)
      error = remove(gone, false);
    if (error)
      return error;
    gone_.push_back(gone);
    ++waiting_.removed;
    if (in_transaction_ >= most_in_transaction)
      if (error = commit(); error)
        return error;
  }
  return {};
}

/// Counts what became of a conversation. @return a failure of the store, which ends the copy
failure owner_copy::settle(const std::string& id, failure&& why, bool replaces) {
  if (of_store(why))
    return std::move(why);
  if (!why) {
    ++waiting_.copied;
    waiting_.replaced += replaces ? 1 : 0;
    return {};
  }
  ++report_.left_out;
  watcher_.left_out(owner_, id, why);
  return {};
}

failure owner_copy::begin() {
  if (in_transaction_++ > 0)
    return {};
  auto error = way_.to.begin();
  if (error)
    in_transaction_ = 0;
  return error;
}

failure owner_copy::commit() {
  if (std::exchange(in_transaction_, 0) > 0)
    if (auto error = way_.to.commit())
      return error;
  for (const auto& chat : std::exchange(gone_, {}))
    if (way_.files_to != nullptr)
      way_.files_to->forget_chat(chat);
  const auto done = std::exchange(waiting_, {});
  report_.copied += done.copied;
  report_.replaced += done.replaced;
  report_.removed += done.removed;
  watcher_.went_on(report_);
  return {};
}

} // namespace troupe

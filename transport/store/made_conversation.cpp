#include "transport/store/made_conversation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "messages/chat/session_id.hpp"
#include "transport/store/conversation_title.hpp"
#include "transport/store/kept_bytes.hpp"
#include "transport/store/kept_message.hpp"
#include "transport/store/piece_size.hpp"
#include "transport/store/save_checks.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

bool waits_for_approval(const chat_message& message) {
  return std::ranges::any_of(message.tool_calls,
                             [](const auto& each) { return each.approval != call_approval{}; });
}

failure need_free(made_rows& rows, const std::string& session_id) {
  conversation_row there;
  if (auto error = rows.find(session_id, there))
    return error;
  return there.key == 0 ? failure{} : failure{errc::conversation_exists, {}};
}

/// Adds the messages and turns of a file. Its times are checked, and it cannot choose calls that
/// run; what comes from another store (taken_over) stays as it is.
class imported final : public made_conversation {
public:
  using made_conversation::made_conversation;

  failure piece(bool& more, conversation_info& out) override;
  void drop_done(change_conversation& ask) override;

private:
  failure begin();
  failure check();
  failure add_messages();
  failure add_turns();
  failure finish(conversation_info& out);
  int64_t time(int64_t time_ms) const;
  const chat_message& checked(const chat_message& message, chat_message& made) const;
  turn_record ended(turn_record turn) const;
  bool is_counted(const turn_record& turn) const;

  size_t message_ = 0; ///< the next one
  size_t turn_ = 0;    ///< the next one
  size_t dropped_ = 0; ///< messages
};

failure imported::piece(bool& more, conversation_info& out) {
  more = true;
  if (row_.key == 0)
    if (auto error = begin())
      return error;
  if (message_ < ask_.content.messages.size())
    return add_messages();
  if (turn_ < ask_.content.turns.size())
    return add_turns();
  more = false;
  return finish(out);
}

void imported::drop_done(change_conversation& ask) {
  for (; dropped_ < message_; ++dropped_)
    ask.content.messages[dropped_] = {};
}

failure imported::begin() {
  if (auto error = need_free(rows_, ask_.session_id))
    return error;
  bytes_ = rows_.quota().any() ? kept_bytes(ask_.content) : 0;
  if (auto error = check_quota())
    return error;
  row_.overrides = stored::text_of(ask_.content.overrides);
  if (auto error = check())
    return error;
  return rows_.add(row_);
}

/// Sets the title, which is the automatic one if a file has none, and when it was created.
failure imported::check() {
  const auto& content = ask_.content;
  auto& info = row_.info;
  info.created_ms = time(content.info.created_ms);
  info.title = content.info.title;
  for (const auto& each : content.messages) {
    if (auto error = check_message(each.message))
      return error;
    if (info.title.empty() && each.message.who == role::user && !ask_.from.exact)
      info.title = title_of(each.message.text);
  }
  return check_message_count(content.messages.size());
}

failure imported::add_messages() {
  const auto& all = ask_.content.messages;
  for (const auto end = end_of_piece(all, message_); message_ < end; ++message_) {
    const auto& each = all[message_];
    chat_message made;
    if (auto error =
            rows_.add_message(row_, message_, checked(each.message, made), time(each.created_ms)))
      return error;
  }
  row_.info.messages = message_;
  return rows_.write_added();
}

failure imported::add_turns() {
  const auto& all = ask_.content.turns;
  for (size_t count = 0; count < piece_rows && turn_ < all.size(); ++count) {
    const auto turn = ended(all[turn_++]);
    row_.bytes += kept_bytes(turn);
    if (auto error = rows_.add_turn(row_.key, turn_, is_counted(turn), turn))
      return error;
  }
  return rows_.write_added();
}

failure imported::finish(conversation_info& out) {
  const bool exact = ask_.from.exact;
  const auto turns = uint64_t{ask_.content.turns.size()};
  row_.info.updated_ms = time(ask_.content.info.updated_ms);
  row_.place = exact ? ask_.from.place : 0;
  if (auto error = row_.place != 0 ? rows_.note_place(row_.place)
                                   : rows_.place_of(row_.info.updated_ms, now_ms_, row_.place))
    return error;
  // At least the number of the last turn: later ones come behind.
  row_.info.version = exact ? std::max(ask_.content.info.version, turns) : turns + 1;
  if (auto error = rows_.add_events(row_.key, ask_.from.events))
    return error;
  if (auto error = rows_.show(row_))
    return error;
  out = row_.info;
  return {};
}

/// A missing or future time of a file becomes now.
int64_t imported::time(int64_t time_ms) const {
  if (ask_.from.exact)
    return time_ms;
  return time_ms > 0 ? std::min(time_ms, now_ms_) : now_ms_;
}

/// Returns the message as it is to be stored: of a file without pending approvals.
/// @param made holds it if it differs from `message`, which is not copied otherwise: it may be very
/// long
const chat_message& imported::checked(const chat_message& message, chat_message& made) const {
  if (ask_.from.exact || !waits_for_approval(message))
    return message;
  made = message;
  for (auto& each : made.tool_calls)
    each.approval = {};
  return made;
}

/// Returns the turn as it is to be stored: no process runs it here.
turn_record imported::ended(turn_record turn) const {
  if (turn.state != turn_state::running)
    return turn;
  turn.state = turn_state::interrupted;
  if (!ask_.from.exact)
    return turn;
  turn.error = {errc::server_restarted, ""};
  turn.ended_ms = now_ms_;
  return turn;
}

bool imported::is_counted(const turn_record& turn) const {
  return ask_.from.exact && turn.state != turn_state::running &&
         turn.state != turn_state::interrupted;
}

/// Copies messages and turns of a conversation.
class branched final : public made_conversation {
public:
  using made_conversation::made_conversation;

  failure piece(bool& more, conversation_info& out) override;

private:
  failure begin();
  failure count_messages();
  failure finish(conversation_info& out);

  conversation_row from_;
  uint64_t count_ = 0; ///< messages to copy
};

failure branched::piece(bool& more, conversation_info& out) {
  more = true;
  if (auto error = row_.key == 0 ? begin() : rows_.check_source(from_, count_))
    return error;
  if (row_.info.messages < count_)
    return rows_.copy_messages(from_, count_, row_);
  if (auto error = rows_.copy_turns(from_, row_, more); error || more)
    return error;
  return finish(out);
}

failure branched::begin() {
  if (auto error = rows_.find(ask_.session_id, from_))
    return error;
  if (auto error = need_version(from_, ask_.if_version))
    return error;
  if (auto error = count_messages())
    return error;
  if (owner_of(ask_.to) != owner_of(ask_.session_id))
    return {errc::request_invalid, "a branch belongs to the owner of its conversation"};
  if (auto error = need_free(rows_, ask_.to))
    return error;
  if (rows_.quota().any())
    if (auto error = rows_.bytes_of(from_, count_, bytes_))
      return error;
  if (auto error = check_quota())
    return error;
  row_.overrides = from_.overrides;
  row_.info.title = ask_.title.empty() ? from_.info.title : ask_.title;
  row_.info.created_ms = now_ms_;
  return rows_.add(row_);
}

failure branched::count_messages() {
  count_ = from_.info.messages;
  if (ask_.message_id.empty())
    return {};
  if (auto error = rows_.count_up_to(from_, ask_.message_id, count_); error || count_ > 0)
    return error;
  return {errc::request_invalid,
          fmt::format("the conversation has no message '{}'", ask_.message_id)};
}

failure branched::finish(conversation_info& out) {
  if (auto error = rows_.place_of(now_ms_, now_ms_, row_.place))
    return error;
  row_.info.updated_ms = now_ms_;
  row_.info.version = from_.info.version + 1; // later turns come after the copied ones
  if (auto error = rows_.show(row_))
    return error;
  out = row_.info;
  return {};
}

} // namespace

failure made_conversation::check_quota() {
  return rows_.check_quota(std::max(bytes_, row_.bytes));
}

const std::string& made_id(const change_conversation& ask) {
  return ask.verb == conversation_verb::branch ? ask.to : ask.session_id;
}

std::unique_ptr<made_conversation>
make_conversation(made_rows& rows, const change_conversation& ask, int64_t now_ms) {
  if (ask.verb == conversation_verb::import)
    return std::make_unique<imported>(rows, ask, now_ms);
  return std::make_unique<branched>(rows, ask, now_ms);
}

failure make_whole(made_rows& rows, const change_conversation& ask, int64_t now_ms,
                   conversation_info& out) {
  const auto made = make_conversation(rows, ask, now_ms);
  for (bool more = true; more;)
    if (auto error = made->piece(more, out))
      return error;
  return {};
}

failure need_version(const conversation_row& row, uint64_t if_version) {
  if (row.key == 0)
    return {errc::conversation_unknown, {}};
  if (if_version != 0 && if_version != row.info.version)
    return {errc::conversation_changed, {}};
  return {};
}

void add_silent_ids(std::string_view body, std::unordered_set<std::string>& to) {
  for (auto at = body.find(silent_answer); at != body.npos; at = body.find(silent_answer, at)) {
    at += silent_answer.size();
    auto end = at + 1;
    while (end < body.size() && body[end] != '"')
      end += body[end] == '\\' ? 2 : 1;
    to.emplace(body.substr(at, end + 1 - at));
  }
}

} // namespace troupe

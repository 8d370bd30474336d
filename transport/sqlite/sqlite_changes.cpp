#include "transport/sqlite/sqlite_changes.hpp"

#include "transport/sqlite/rows/sqlite_conversations.hpp"
#include "transport/sqlite/rows/sqlite_pieces.hpp"
#include "transport/sqlite/sqlite_branch.hpp"
#include "transport/sqlite/sqlite_import.hpp"
#include "transport/store/stored_json.hpp"

namespace troupe {

namespace {

/// Writes a changed row as the conversation's next version.
failure finish(sqlite_books& books, conversation_row& row, int64_t now_ms, conversation_info& out) {
  if (auto error = books.order.next(now_ms, row.place))
    return error;
  row.info.updated_ms = now_ms;
  ++row.info.version;
  out = row.info;
  return write_conversation(books.db, row);
}

/// A long conversation is only hidden: it is cleared away piece by piece.
failure remove(sqlite_connection& db, const conversation_row& row, conversation_info& out) {
  out = row.info;
  out.version = 0;
  bool is_long = false;
  if (auto error = takes_pieces(db, row.key, is_long))
    return error;
  return is_long ? hide(db, row) : remove_conversation(db, row);
}

/// Does all pieces of a change at once.
template <class Work>
failure do_whole(Work work, conversation_info& out) {
  for (bool more = true; more;)
    if (auto error = work.piece(more, out))
      return error;
  return {};
}

} // namespace

failure apply_change(sqlite_books& books, const change_conversation& ask, int64_t now_ms,
                     conversation_info& out) {
  if (ask.verb == conversation_verb::import)
    return do_whole(sqlite_import{books, ask, now_ms}, out);
  if (ask.verb == conversation_verb::branch)
    return do_whole(sqlite_branch{books, ask, now_ms}, out);
  conversation_row row;
  if (auto error = need_conversation(books.db, ask.session_id, ask.if_version, row))
    return error;
  switch (ask.verb) {
  case conversation_verb::rename:
    row.info.title = ask.title;
    return finish(books, row, now_ms, out);
  case conversation_verb::override:
    row.overrides = stored::text_of(ask.overrides);
    return finish(books, row, now_ms, out);
  case conversation_verb::remove:
    return remove(books.db, row, out);
  case conversation_verb::branch:
  case conversation_verb::import:
    break;
  }
  return {errc::store_failed, "there is no such change"};
}

} // namespace troupe

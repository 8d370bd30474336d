#include "transport/sqlite/database/sqlite_salvage.hpp"

#include <sqlite3.h>

#include <array>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "transport/sqlite/database/sqlite_query.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"

namespace troupe {

namespace {

constexpr int rows_in_commit = 4096;

/// A statement of either database.
class statement {
public:
  statement(sqlite3* db, const std::string& sql) {
    sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()), &made_, nullptr);
  }
  ~statement() { sqlite3_finalize(made_); }
  statement(const statement&) = delete;
  statement& operator=(const statement&) = delete;

  /// Returns SQLITE_ROW, SQLITE_DONE or an error; also an error if it could not be prepared.
  int step() { return made_ == nullptr ? SQLITE_ERROR : sqlite3_step(made_); }
  void bind(int at, int64_t number) { sqlite3_bind_int64(made_, at, number); }
  int64_t integer(int column) const { return sqlite3_column_int64(made_, column); }
  void reset() { sqlite3_reset(made_); }

  /// Binds the columns of a row of `from` as the parameters from 1 on.
  void bind_row(const statement& from) {
    for (int i = 0; i < sqlite3_column_count(from.made_); ++i)
      sqlite3_bind_value(made_, i + 1, sqlite3_column_value(from.made_, i));
  }

private:
  sqlite3_stmt* made_ = nullptr;
};

/// A table whose rows have a number; `columns` begin with it.
struct numbered_table {
  const char* name;
  const char* columns;
  const char* values;
};

constexpr numbered_table owners{"owners", "id, name", "?1, ?2"};
constexpr numbered_table conversations{
    "conversations",
    "id, owner, name, title, created, updated, messages, version, overrides, place",
    "?1, ?2, ?3, ?4, ?5, ?6, 0, ?8, ?9, ?10"};
/// As it was before the third schema.
constexpr numbered_table old_conversations{
    "conversations", "id, owner, name, title, created, updated, messages, version, overrides",
    "?1, ?2, ?3, ?4, ?5, ?6, 0, ?8, ?9"};
constexpr numbered_table messages{"messages", "id, role, created, message_id, text, body",
                                  "?1, ?2, ?3, ?4, ?5, ?6"};

/// A table without numbers, read from both ends.
struct named_table {
  const char* name;
  const char* columns;
  const char* values;
  const char* key;
};

constexpr std::array named_tables{
    named_table{"usage_days",
                "owner, day, model, turns, requests, input, output, total, reasoning, cached",
                "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10", "owner {0}, day {0}, model {0}"},
    named_table{"settings", "key, value", "?1, ?2", "key {0}"},
    named_table{"keys",
                "id, owner, name, hash, admin, requests_per_minute, concurrent_turns, created, "
                "revoked",
                "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9", "id {0}"}};

constexpr std::array parts_of_conversations{
    numbered_table{"turns",
                   "conversation, turn_id, number, message_id, state, error, error_text, model, "
                   "resumable, started, ended, used, counted",
                   "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13"},
    numbered_table{"events", "conversation, turn_id, first_seq, batch", "?1, ?2, ?3, ?4"}};

class salvager {
public:
  salvager(sqlite3* from, sqlite_connection& into, salvage_report& report)
      : from_{from}, into_{into}, report_{report} {}

  failure copy_all() {
    if (auto error = into_.begin())
      return error;
    copy_numbered(owners, [this](const statement& row, statement&) {
      return row.integer(0) > 0 && owners_.insert(row.integer(0)).second;
    });
    copy_numbered(has_places() ? conversations : old_conversations,
                  [this](const statement& row, statement&) { return knows(row); });
    copy_numbered(messages,
                  [this](const statement& row, statement& to) { return close_up(row, to); });
    for (const auto& table : named_tables)
      copy_named(table);
    for (const auto& [key, places] : places_)
      finish_conversation(key, places);
    report_.conversations = places_.size();
    statement keys_of{into_.handle(), "SELECT count(*) FROM keys"};
    report_.keys = keys_of.step() == SQLITE_ROW ? static_cast<uint64_t>(keys_of.integer(0)) : 0;
    keys_of.reset();
    return failed_ ? failed_ : into_.commit();
  }

private:
  bool has_places() {
    statement column{from_, "SELECT 1 FROM pragma_table_info('conversations') "
                            "WHERE name = 'place'"};
    return column.step() == SQLITE_ROW;
  }

  /// Copies the rows in their order. @param take changes the bound values, or returns false for a
  /// row that is left out
  template <class Take>
  void copy_numbered(const numbered_table& table, Take take) {
    const auto select =
        fmt::format("SELECT {} FROM {} WHERE id > ?1 ORDER BY id", table.columns, table.name);
    statement add{into_.handle(), fmt::format("INSERT OR IGNORE INTO {}({}) VALUES({})", table.name,
                                              table.columns, table.values)};
    int64_t after = INT64_MIN;
    do {
      statement rows{from_, select};
      rows.bind(1, after);
      int result = rows.step();
      for (; result == SQLITE_ROW && !failed_; result = rows.step()) {
        after = rows.integer(0);
        add.bind_row(rows);
        if (take(rows, add))
          insert(add);
      }
      if (result == SQLITE_DONE || failed_)
        return;
    } while (skip_gap(table, after));
  }

  /// Moves `after` on, to the next number from which rows can be read; false: there are no more.
  bool skip_gap(const numbered_table& table, int64_t& after) {
    ++report_.gaps;
    statement look{from_,
                   fmt::format("SELECT id FROM {} WHERE id > ?1 ORDER BY id LIMIT 1", table.name)};
    const auto result_at = [&look](int64_t number) {
      look.reset();
      look.bind(1, number);
      return look.step();
    };
    if (const auto result = result_at(after); result != SQLITE_ROW)
      return result != SQLITE_DONE && jump_gap(result_at, after);
    after = look.integer(0); // a row whose rest cannot be read
    return true;
  }

  /// As skip_gap, where not even the next row's number can be read: tries further and further on,
  /// then in between.
  template <class Try>
  static bool jump_gap(Try result_at, int64_t& after) {
    int64_t bad = after == INT64_MIN ? 0 : after; // no number is below
    int64_t good = 0;
    for (int64_t jump = 1; good == 0; jump *= 2) {
      if (jump > INT64_MAX / 4 || bad > INT64_MAX - jump)
        return false;
      const auto at = bad + jump;
      const auto result = result_at(at);
      if (result == SQLITE_DONE)
        return false;
      (result == SQLITE_ROW ? good : bad) = at;
    }
    while (good - bad > 1) {
      const auto middle = bad + (good - bad) / 2;
      (result_at(middle) == SQLITE_ROW ? good : bad) = middle;
    }
    after = good;
    return true;
  }

  void copy_named(const named_table& table) {
    statement add{into_.handle(), fmt::format("INSERT OR IGNORE INTO {}({}) VALUES({})", table.name,
                                              table.columns, table.values)};
    for (const char* order : {"ASC", "DESC"}) {
      statement rows{from_, fmt::format("SELECT {} FROM {} ORDER BY {}", table.columns, table.name,
                                        fmt::format(fmt::runtime(table.key), order))};
      int result = rows.step();
      for (; result == SQLITE_ROW && !failed_; result = rows.step()) {
        add.bind_row(rows);
        insert(add);
      }
      if (result == SQLITE_DONE)
        return; // all of it
      ++report_.gaps;
    }
  }

  /// Copies what belongs to a conversation, and sets its number of messages and its bytes.
  void finish_conversation(int64_t key, int64_t places) {
    for (const auto& table : parts_of_conversations) {
      statement rows{from_, fmt::format("SELECT {} FROM {} WHERE conversation = ?1", table.columns,
                                        table.name)};
      statement add{into_.handle(), fmt::format("INSERT OR IGNORE INTO {}({}) VALUES({})",
                                                table.name, table.columns, table.values)};
      rows.bind(1, key);
      int result = rows.step();
      for (; result == SQLITE_ROW && !failed_; result = rows.step()) {
        add.bind_row(rows);
        insert(add);
      }
      report_.gaps += result == SQLITE_DONE || failed_ ? 0 : 1;
    }
    statement count{
        into_.handle(),
        "UPDATE conversations SET messages = ?2, place = iif(place = 0, updated, place), bytes = "
        "(SELECT coalesce(sum(length(CAST(text AS BLOB)) + length(CAST(body AS BLOB)) + "
        "length(CAST(message_id AS BLOB)) + 256), 0) FROM messages WHERE id >= ?3 AND id < ?4) + "
        "256 * (SELECT count(*) FROM turns WHERE conversation = ?1) WHERE id = ?1"};
    count.bind(1, key);
    count.bind(2, places);
    count.bind(3, message_key(key, 0));
    count.bind(4, message_key(key + 1, 0));
    insert(count);
  }

  /// Notes a conversation. Hidden ones are of owner 0; where the owner was not read, nobody could
  /// see it.
  bool knows(const statement& row) {
    ends_.emplace(row.integer(0), row.integer(6));
    return owners_.contains(row.integer(1)) && places_.emplace(row.integer(0), 0).second;
  }

  /// Gives a message the next place of its conversation: places count from 0, without gaps. Rows
  /// behind the last message are of a tail that was cut off.
  bool close_up(const statement& row, statement& to) {
    const auto conversation = row.integer(0) >> place_bits;
    const auto at = places_.find(conversation);
    if (at == places_.end() || row.integer(0) >= message_key(conversation, 0) + ends_[conversation])
      return false;
    to.bind(1, message_key(conversation, at->second++));
    ++report_.messages;
    return true;
  }

  void insert(statement& add) {
    const auto result = add.step();
    add.reset();
    if (failed_)
      return;
    if (result != SQLITE_DONE)
      failed_ = into_.failed();
    else if (++rows_ % rows_in_commit == 0)
      if (failed_ = into_.commit(); !failed_)
        failed_ = into_.begin();
  }

  sqlite3* from_;
  sqlite_connection& into_;
  salvage_report& report_;
  std::unordered_set<int64_t> owners_;
  std::unordered_map<int64_t, int64_t> places_; ///< messages of each conversation
  std::unordered_map<int64_t, int64_t> ends_;   ///< ... as many as it had
  failure failed_;
  int rows_ = 0;
};

} // namespace

std::string salvage_report::text() const {
  if (conversations == 0 && keys == 0)
    return "nothing could be saved from it";
  return fmt::format("{} conversations with {} messages and {} keys were saved from it; {} places "
                     "could not be read",
                     conversations, messages, keys, gaps);
}

failure salvage(const std::string& damaged, sqlite_connection& into, salvage_report& report) {
  failure unreadable; // then there is nothing to save
  const auto from = sqlite_connection::open({damaged, {}}, unreadable);
  if (!from)
    return {};
  into.doing("save what is left of a damaged database");
  auto error = salvager{from->handle(), into, report}.copy_all();
  if (error && into.in_transaction())
    into.roll_back();
  return error;
}

} // namespace troupe

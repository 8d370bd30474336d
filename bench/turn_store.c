#include "turn_store.h"

#include <stdio.h>
#include <stdlib.h>

#include <sqlite3.h>

#define ANSWER                                                                                     \
  "'The quick brown fox jumps over the lazy dog while the sun sets behind the distant hills and "  \
  "' "                                                                                             \
  "|| 'a gentle wind carries the scent of rain across fields of barley where nobody has walked ' " \
  "|| 'since the last harvest was brought home by tired hands before the storm came'"

static const char* const conversation =
    "INSERT INTO conversations(id, owner, name, title, created, updated, messages, version, "
    "overrides) VALUES(?1, 1, ?2, 'hi', ?1, ?1, 1, 1, '')";
static const char* const question = "INSERT INTO messages VALUES((?1 << 20), 0, ?1, ?2, 'hi', '')";
static const char* const begun =
    "INSERT INTO turns VALUES(?1, ?2, 1, ?2, 0, '', '', 'instant', 0, ?1, 0, '', 0)";
static const char* const grown =
    "UPDATE conversations SET title = 'hi', updated = ?1 + 1, messages = 2, version = 2, "
    "overrides = '' WHERE id = ?1";
static const char* const answer =
    "INSERT INTO messages VALUES((?1 << 20) + 1, 1, ?1, ?2, " ANSWER ", '')";
static const char* const ended =
    "UPDATE turns SET state = 1, ended = ?1, used = '{\"inputTokens\":12,\"outputTokens\":50}', "
    "counted = 1 WHERE conversation = ?1 AND turn_id = ?2";

static const char* const indexed_row =
    "INSERT INTO search_rows VALUES(?1, ?1 / 2 * 1048576 + ?1 % 2)";
static const char* const indexed_question =
    "INSERT INTO search(rowid, owner, text) VALUES(?1, 'o1', 'hi')";
static const char* const indexed_answer =
    "INSERT INTO search(rowid, owner, text) VALUES(?1, 'o1', " ANSWER ")";
static const char* const marked = "UPDATE conversations SET indexed = messages WHERE id = ?1";

enum { saves = 2, statements_of_a_save = 3, turns_at_once = 512 };

static sqlite3* db;
static sqlite3_stmt* save[saves][statements_of_a_save];
static sqlite3_stmt *row, *asked, *said, *mark;

static void check(int ok) {
  if (ok)
    return;
  fprintf(stderr, "the store: %s\n", sqlite3_errmsg(db));
  exit(1);
}

static void run(const char* sql) {
  check(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static sqlite3_stmt* prepare(const char* sql) {
  sqlite3_stmt* made = NULL;
  check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, NULL) == SQLITE_OK);
  return made;
}

static void step(sqlite3_stmt* what, sqlite3_int64 number, const char* name) {
  sqlite3_bind_int64(what, 1, number);
  if (name != NULL && sqlite3_bind_parameter_count(what) > 1)
    sqlite3_bind_text(what, 2, name, -1, SQLITE_STATIC);
  check(sqlite3_step(what) == SQLITE_DONE);
  sqlite3_reset(what);
}

void turn_store_open(const char* path) {
  const char* const texts[saves][statements_of_a_save] = {{conversation, question, begun},
                                                          {grown, answer, ended}};
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  check(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK);
  run("PRAGMA foreign_keys = ON; PRAGMA cache_size = -2048; PRAGMA synchronous = NORMAL;"
      "PRAGMA secure_delete = FAST; PRAGMA journal_size_limit = 33554432;"
      "PRAGMA wal_autocheckpoint = 4000; INSERT OR IGNORE INTO owners VALUES(1, '')");
  for (int half = 0; half < saves; ++half)
    for (int i = 0; i < statements_of_a_save; ++i)
      save[half][i] = prepare(texts[half][i]);
  row = prepare(indexed_row);
  asked = prepare(indexed_question);
  said = prepare(indexed_answer);
  mark = prepare(marked);
}

void turn_store_begin(void) {
  run("BEGIN IMMEDIATE");
}

void turn_store_commit(void) {
  run("COMMIT");
}

void turn_store_save(long turn, int half) {
  char name[64];
  snprintf(name, sizeof name, "turn_%024ld", turn);
  for (int i = 0; i < statements_of_a_save; ++i)
    step(save[half][i], turn, name);
}

void turn_store_index(long first, long end) {
  for (; first < end; first += turns_at_once) {
    turn_store_begin();
    for (long id = first; id < first + turns_at_once && id < end; ++id) {
      step(row, id * 2, NULL);
      step(asked, id * 2, NULL);
      step(row, id * 2 + 1, NULL);
      step(said, id * 2 + 1, NULL);
      step(mark, id, NULL);
    }
    turn_store_commit();
  }
}

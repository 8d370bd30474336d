#include "turn_store.h"

#include <stdio.h>
#include <stdlib.h>

#include <sqlite3.h>

#define QUESTION "'Say something, please.'"
#define LONG_ANSWER                                                                                \
  "'The quick brown fox jumps over the lazy dog while the sun sets behind the distant hills and "  \
  "' "                                                                                             \
  "|| 'a gentle wind carries the scent of rain across fields of barley where nobody has walked ' " \
  "|| 'since the last harvest was brought home by tired hands before the storm came'"
#define SHORT_ANSWER "'The tool echo answered: Echo: Say something, please.'"
#define CALL_BODY                                                                                  \
  "'{\"tool_calls\":[{\"id\":\"call_000001\",\"name\":\"echo\",\"arguments\":\"{\\\"message\\\":"  \
  "\\\"Say something, please.\\\"}\"}]}'"
#define RESULT_BODY "'{\"tool_call_id\":\"call_000001\"}'"

/* Of a chat that has COUNT messages then; roles are numbers. */
#define GROWN(COUNT)                                                                               \
  "UPDATE conversations SET title = " QUESTION ", updated = ?1 + 1, messages = " #COUNT            \
  ", version = " #COUNT ", overrides = '' WHERE id = ?1"
#define MESSAGE(PLACE, ROLE, TEXT, BODY)                                                           \
  "INSERT INTO messages VALUES((?1 << 20) + " #PLACE ", " #ROLE ", ?1, ?2, " TEXT ", " BODY ")"
#define INDEXED(TEXT) "INSERT INTO search(rowid, owner, text) VALUES(?1, 'o1', " TEXT ")"
#define INDEXED_ROW(PLACE) "INSERT INTO search_rows VALUES(?1, ?1 / 2 * 1048576 + " #PLACE ")"

#define CONVERSATION                                                                               \
  "INSERT INTO conversations(id, owner, name, title, created, updated, messages, version, "        \
  "overrides) VALUES(?1, 1, ?2, " QUESTION ", ?1, ?1, 1, 1, '')"
#define BEGUN "INSERT INTO turns VALUES(?1, ?2, 1, ?2, 0, '', '', 'instant', 0, ?1, 0, '', 0)"
#define ENDED                                                                                      \
  "UPDATE turns SET state = 1, ended = ?1, used = '{\"inputTokens\":12,\"outputTokens\":50}', "    \
  "counted = 1 WHERE conversation = ?1 AND turn_id = ?2"

enum { most_saves = saves_with_call, statements_of_a_save = 3, turns_at_once = 512 };

/* NULL: one statement less. */
static const char* const texts[][most_saves][statements_of_a_save] = {
    [plain_turn] = {{CONVERSATION, MESSAGE(0, 1, QUESTION, "''"), BEGUN},
                    {GROWN(2), MESSAGE(1, 2, LONG_ANSWER, "''"), ENDED}},
    [turn_with_call] = {
        {CONVERSATION, MESSAGE(0, 1, QUESTION, "''"), BEGUN},
        {GROWN(2), MESSAGE(1, 2, "''", CALL_BODY), NULL},
        {GROWN(3), MESSAGE(2, 3, "'Echo: Say something, please.'", RESULT_BODY), NULL},
        {GROWN(4), MESSAGE(3, 2, SHORT_ANSWER, "''"), ENDED}}};

/* A question, then an answer: each a row and its words. */
static const char* const index_texts[][4] = {
    [plain_turn] = {INDEXED_ROW(0), INDEXED(QUESTION), INDEXED_ROW(1), INDEXED(LONG_ANSWER)},
    [turn_with_call] = {INDEXED_ROW(0), INDEXED(QUESTION), INDEXED_ROW(3), INDEXED(SHORT_ANSWER)}};
static const char* const marked = "UPDATE conversations SET indexed = messages WHERE id = ?1";

static sqlite3* db;
static sqlite3_stmt* saves[most_saves][statements_of_a_save];
static sqlite3_stmt* words[4];
static sqlite3_stmt* mark;

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
  if (sql != NULL)
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

void turn_store_open(const char* path, enum turn_kind kind) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  check(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK);
  run("PRAGMA foreign_keys = ON; PRAGMA cache_size = -2048; PRAGMA synchronous = NORMAL;"
      "PRAGMA secure_delete = FAST; PRAGMA journal_size_limit = 33554432;"
      "PRAGMA wal_autocheckpoint = 4000; INSERT OR IGNORE INTO owners VALUES(1, '')");
  for (int save = 0; save < most_saves; ++save)
    for (int i = 0; i < statements_of_a_save; ++i)
      saves[save][i] = prepare(texts[kind][save][i]);
  for (int i = 0; i < 4; ++i)
    words[i] = prepare(index_texts[kind][i]);
  mark = prepare(marked);
}

void turn_store_begin(void) {
  run("BEGIN IMMEDIATE");
}

void turn_store_commit(void) {
  run("COMMIT");
}

void turn_store_save(long turn, int save) {
  char name[64];
  snprintf(name, sizeof name, "turn_%024ld", turn);
  for (int i = 0; i < statements_of_a_save; ++i)
    if (saves[save][i] != NULL)
      step(saves[save][i], turn, name);
}

void turn_store_index(long first, long end) {
  for (; first < end; first += turns_at_once) {
    turn_store_begin();
    for (long id = first; id < first + turns_at_once && id < end; ++id) {
      for (int i = 0; i < 4; ++i)
        step(words[i], id * 2 + i / 2, NULL);
      step(mark, id, NULL);
    }
    turn_store_commit();
  }
}

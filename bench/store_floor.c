/* What SQLite needs for what is kept of a plain turn, and nothing else: the statements of
 * transport/sqlite with constant texts, prepared once. `bench-store-floor DATABASE TURNS
 * PER_COMMIT`; DATABASE is one that `troupe serve` has made. Prints CPU microseconds per turn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <sqlite3.h>

static sqlite3* db;

static double cpu_us(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void check(int ok) {
  if (ok)
    return;
  fprintf(stderr, "bench-store-floor: %s\n", sqlite3_errmsg(db));
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
  if (name != NULL)
    sqlite3_bind_text(what, 2, name, -1, SQLITE_STATIC);
  check(sqlite3_step(what) == SQLITE_DONE);
  sqlite3_reset(what);
}

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

/* Two saves for each turn; those of `group` turns share a commit. */
static void keep(long turns, long group) {
  sqlite3_stmt* first[] = {prepare(conversation), prepare(question), prepare(begun)};
  sqlite3_stmt* last[] = {prepare(grown), prepare(answer), prepare(ended)};
  char name[64];
  for (long from = 1; from <= turns; from += group)
    for (int half = 0; half < 2; ++half) {
      run("BEGIN IMMEDIATE");
      for (long id = from; id < from + group; ++id) {
        snprintf(name, sizeof name, "turn_%024ld", id);
        for (int i = 0; i < 3; ++i)
          step(half == 0 ? first[i] : last[i], id, half == 1 && i == 0 ? NULL : name);
      }
      run("COMMIT");
    }
}

/* Both messages of each turn, 1024 in a transaction. */
static void make_findable(long turns) {
  sqlite3_stmt* row = prepare("INSERT INTO search_rows VALUES(?1, ?1 / 2 * 1048576 + ?1 % 2)");
  sqlite3_stmt* asked = prepare("INSERT INTO search(rowid, owner, text) VALUES(?1, 'o1', 'hi')");
  sqlite3_stmt* said =
      prepare("INSERT INTO search(rowid, owner, text) VALUES(?1, 'o1', " ANSWER ")");
  sqlite3_stmt* indexed = prepare("UPDATE conversations SET indexed = messages WHERE id = ?1");
  for (long from = 1; from <= turns; from += 512) {
    run("BEGIN IMMEDIATE");
    for (long id = from; id < from + 512 && id <= turns; ++id) {
      step(row, id * 2, NULL);
      step(asked, id * 2, NULL);
      step(row, id * 2 + 1, NULL);
      step(said, id * 2 + 1, NULL);
      step(indexed, id, NULL);
    }
    run("COMMIT");
  }
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: bench-store-floor DATABASE TURNS PER_COMMIT\n");
    return 2;
  }
  const long group = atol(argv[3]), turns = atol(argv[2]) / group * group;
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  check(sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ==
        SQLITE_OK);
  run("PRAGMA foreign_keys = ON; PRAGMA cache_size = -2048; PRAGMA synchronous = NORMAL;"
      "PRAGMA wal_autocheckpoint = 4000; INSERT OR IGNORE INTO owners VALUES(1, '')");
  const double before = cpu_us();
  keep(turns, group);
  const double kept = cpu_us();
  make_findable(turns);
  const double all = cpu_us();
  printf("saves_us %.1f\nindex_us %.1f\nall_us %.1f\n", (kept - before) / (double)turns,
         (all - kept) / (double)turns, (all - before) / (double)turns);
  return 0;
}

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "messages/chat/session_id.hpp"
#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"
#include "transport/sqlite/database/sqlite_errors.hpp"
#include "transport/sqlite/database/sqlite_folder.hpp"
#include "transport/sqlite/database/sqlite_schema.hpp"

namespace sqlite_store_test {

using namespace troupe;
using namespace troupe::test;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> set_aside(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator{folder})
    if (entry.path().filename().string().starts_with("troupe.db.damaged-"))
      out.push_back(entry.path());
  return out;
}

/// Closes the folder and breaks its pages from the third one on.
void damage(data_folder& folder) {
  folder.store.reset();
  folder.port.reset();
  write_file(folder.file(), std::string(3 * 4096, 'x'), 2 * 4096);
}

/// Returns whether another process sees locks of this one.
bool is_locked(const std::string& path) {
  const auto child = ::fork();
  if (child == 0) {
    struct flock all {};
    all.l_type = F_WRLCK;
    const int file = ::open(path.c_str(), O_RDWR);
    const bool asked = file >= 0 && ::fcntl(file, F_GETLK, &all) == 0;
    ::_exit(asked && all.l_type != F_UNLCK ? 1 : 0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

} // namespace

TEST_CASE("a folder is made for its owner alone", "[transport][sqlite]") {
  data_folder folder;
  folder.path += "/a/b";
  folder.open();
  CHECK(mode_of(folder.path) == 0700);
  for (const char* name : {"/troupe.db", "/troupe.db-wal", "/troupe.lock"})
    CHECK(mode_of(folder.path + name) == 0600);
  CHECK(folder.port->path() == folder.path + "/troupe.db");
  CHECK(folder.port->notice().empty());
  folder.path = fs::path{folder.path}.parent_path().parent_path();
}

TEST_CASE("a folder belongs to one server at a time", "[transport][sqlite]") {
  data_folder folder;
  folder.open();
  auto why = refusal(folder.path);
  CHECK(why.code == errc::store_locked);
  CHECK(why.message.find(folder.path) != std::string::npos);
  CHECK(why.message.find(std::to_string(::getpid())) != std::string::npos);
  folder.open(); // closed and opened again
}

TEST_CASE("keys can be made before there is a server", "[transport][sqlite]") {
  data_folder folder;
  failure why;
  auto port = open_sqlite_keys(folder.path, why, data_folder::options());
  INFO(why.text());
  REQUIRE(port != nullptr);
  REQUIRE_FALSE(
      port->open(durability::full, why)->put(api_key{"k", "eve", "", "0", false, 0, 0, 1, 0}));
  CHECK(folder.open().keys({}).keys.size() == 1);
}

TEST_CASE("a newer database is left alone", "[transport][sqlite]") {
  data_folder folder;
  folder.open();
  folder.store.reset();
  folder.port.reset();
  folder.sql("PRAGMA user_version = 77");
  auto why = refusal(folder.path);
  CHECK(why.code == errc::store_newer);
  CHECK(why.message.find("77") != std::string::npos);
  CHECK(why.message.find(std::to_string(newest_schema())) != std::string::npos);
  CHECK(folder.sql("PRAGMA user_version") == "77");
}

TEST_CASE("a database of another program is left alone", "[transport][sqlite]") {
  data_folder folder;
  folder.sql("CREATE TABLE t(x); INSERT INTO t VALUES(5)");
  CHECK(refusal(folder.path).code == errc::store_failed);
  CHECK(folder.sql("SELECT x FROM t") == "5");
}

TEST_CASE("a file that is no database is set aside", "[transport][sqlite]") {
  data_folder folder;
  write_file(folder.file(), std::string(9000, 'x'));
  auto& store = folder.open();
  auto aside = set_aside(folder.path);
  REQUIRE(aside.size() == 1);
  CHECK(fs::file_size(aside[0]) == 9000);
  CHECK(folder.port->notice().find(aside[0]) != std::string::npos);
  CHECK(save(store, saving("s", {said(role::user, "a")})) == 1);
}

TEST_CASE("a folder can have damaged files set aside more than once", "[transport][sqlite]") {
  data_folder folder;
  for (int i = 0; i < 3; ++i) {
    folder.store.reset();
    folder.port.reset();
    write_file(folder.file(), std::string(9000, 'x'));
    folder.open();
  }
  CHECK(set_aside(folder.path).size() == 3);
}

TEST_CASE("damage that is met later is looked at by the next start", "[transport][sqlite]") {
  data_folder folder;
  std::vector<chat_message> many(200, said(role::user, std::string(500, 'w')));
  save(folder.open(), saving("s", many));
  folder.store.reset();
  folder.port.reset();
  const auto root =
      std::stoll(folder.sql("SELECT rootpage FROM sqlite_schema WHERE name='messages'"));
  write_file(folder.file(), std::string(4096, 'x'), (root - 1) * 4096);
  CHECK(folder.open().load({"s"}).error.code == errc::store_damaged);
  CHECK(set_aside(folder.path).empty());
  folder.open();
  CHECK(set_aside(folder.path).size() == 1);
  CHECK(folder.port->notice().find("1 conversations with 0 messages") != std::string::npos);
  CHECK(folder.store->load({"s"}).history.empty()); // the root of all messages was damaged
  folder.open();
  CHECK(folder.port->notice().empty());
}

TEST_CASE("a suspicion that is wrong costs nothing but the check", "[transport][sqlite]") {
  data_folder folder;
  save(folder.open(), saving("s", {said(role::user, "word")}));
  CHECK(folder.store->search({"", "word", 1, {}}).hits.size() == 1);
  write_file(folder.path + "/troupe.db.suspect", "");
  CHECK(folder.open().load({"s"}).version == 1);
  CHECK(set_aside(folder.path).empty());
  CHECK_FALSE(fs::exists(folder.path + "/troupe.db.suspect"));
  CHECK(folder.store->search({"", "word", 1, {}}).hits.size() == 1);
}

TEST_CASE("a damaged schema is set aside", "[transport][sqlite]") {
  data_folder folder;
  folder.open();
  damage(folder);
  write_file(folder.file(), std::string(3000, 'x'), 1000);
  folder.open();
  CHECK(set_aside(folder.path).size() == 1);
}

TEST_CASE("a path that cannot be a folder is refused", "[transport][sqlite]") {
  data_folder folder;
  write_file(folder.path + "/file", "x");
  CHECK(refusal(folder.path + "/file").code == errc::store_read_only);
  CHECK(refusal(folder.path + "/file/below").code == errc::store_read_only);
}

TEST_CASE("another program that writes makes a save fail in time", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  auto other = folder.another();
  REQUIRE_FALSE(other->begin());
  auto error = store.save(saving("s", {said(role::user, "a")})).error;
  CHECK(error.code == errc::store_locked);
  CHECK(error.message.find("save a chat") != std::string::npos);
  CHECK(store.begin().code == errc::store_locked);
  CHECK(store.probe().code == errc::store_locked);
  other->roll_back();
  CHECK_FALSE(store.probe());
  CHECK(save(store, saving("s", {said(role::user, "a")})) == 1);
}

TEST_CASE("a full disk fails the whole transaction, and what fits works again",
          "[transport][sqlite]") {
  data_folder folder;
  save(folder.open(), saving("s", {said(role::user, "a")}));
  const auto pages = std::stoi(folder.sql("PRAGMA page_count")) + 8;
  const auto limit = "PRAGMA max_page_count = " + std::to_string(pages);
  auto& store = folder.open(limit.c_str());
  REQUIRE_FALSE(store.begin());
  save(store, saving("t", {said(role::user, "small")}));
  const auto large = saving("u", {said(role::user, std::string(100'000, 'x'))});
  CHECK(store.save(large).error.code == errc::store_full);
  CHECK(store.load({"u"}).version == 0); // nothing of what was half written
  CHECK(store.save(saving("v", {})).error.code == errc::store_full);
  auto error = store.commit();
  CHECK(error.code == errc::store_full);
  CHECK(error.message.find("make room") != std::string::npos);
  CHECK(store.load({"t"}).version == 0);
  CHECK(store.save(large).error.code == errc::store_full);
  CHECK(save(store, saving("t", {said(role::user, "small")})) == 1);
  CHECK_FALSE(store.probe());
  CHECK(store.load({"s"}).version == 1);
}

TEST_CASE("where nothing can be written, everything can be read", "[transport][sqlite]") {
  data_folder folder;
  save(folder.open(), saving("s", {said(role::user, "word")}));
  auto& store = folder.open("PRAGMA query_only = ON");
  CHECK(store.save(saving("t", {})).error.code == errc::store_read_only);
  CHECK(store.probe().code == errc::store_read_only);
  bool more = false;
  CHECK(store.tidy(more).code == errc::store_read_only);
  CHECK(store.put(setting{"a", "b"}).code == errc::store_read_only);
  CHECK(store.load({"s"}).history.size() == 1);
  CHECK(store.list({"", 50, {}}).conversations.size() == 1);
  auto found = store.search({"", "word", 20, {}});
  CHECK_FALSE(found.error);
  CHECK(found.hits.empty()); // it could not be indexed
}

TEST_CASE("each result of SQLite has its code", "[transport][sqlite]") {
  CHECK(store_error(SQLITE_FULL, 0) == errc::store_full);
  CHECK(store_error(SQLITE_IOERR_WRITE, ENOSPC) == errc::store_full);
  CHECK(store_error(SQLITE_IOERR_SHMSIZE, EDQUOT) == errc::store_full);
  CHECK(store_error(SQLITE_READONLY_DIRECTORY, 0) == errc::store_read_only);
  CHECK(store_error(SQLITE_CANTOPEN, 0) == errc::store_read_only);
  CHECK(store_error(SQLITE_CANTOPEN, ENOSPC) == errc::store_full);
  CHECK(store_error(SQLITE_PERM, 0) == errc::store_read_only);
  CHECK(store_error(SQLITE_IOERR_WRITE, EROFS) == errc::store_read_only);
  CHECK(store_error(SQLITE_BUSY_SNAPSHOT, 0) == errc::store_locked);
  CHECK(store_error(SQLITE_LOCKED, 0) == errc::store_locked);
  CHECK(store_error(SQLITE_CORRUPT_VTAB, 0) == errc::store_damaged);
  CHECK(store_error(SQLITE_NOTADB, 0) == errc::store_damaged);
  CHECK(store_error(SQLITE_IOERR_READ, EIO) == errc::store_failed);
  CHECK(store_error(SQLITE_NOMEM, 0) == errc::store_failed);
  CHECK(store_error(SQLITE_INTERRUPT, 0) == errc::store_timeout);
}

TEST_CASE("making a folder that is there leaves the database's locks alone",
          "[transport][sqlite]") {
  data_folder folder;
  save(folder.open(), saving("s", {}));
  REQUIRE(is_locked(folder.file()));
  CHECK_FALSE(sqlite_folder{folder.path}.make());
  CHECK(is_locked(folder.file()));
}

TEST_CASE("a damaged search index is made anew, and nothing else is lost", "[transport][sqlite]") {
  data_folder folder;
  save(folder.open(), saving("s", {said(role::user, "word")}));
  CHECK(folder.store->search({"", "word", 1, {}}).hits.size() == 1);
  folder.store.reset();
  folder.port.reset();
  folder.sql("UPDATE search_data SET block = x'0000FFFFFFFF' WHERE id > 10");
  auto& store = folder.open();
  CHECK(store.search({"", "word", 1, {}}).error.code == errc::store_damaged);
  folder.open();
  CHECK(set_aside(folder.path).empty());
  CHECK(folder.store->load({"s"}).version == 1);
  CHECK(folder.store->search({"", "word", 1, {}}).hits.size() == 1);
}

} // namespace sqlite_store_test

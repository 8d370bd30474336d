// Data folders that others could reach into.
#include <sys/stat.h>

#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_folder_test {

using namespace troupe;
using namespace troupe::test;

namespace {

namespace fs = std::filesystem;

} // namespace

TEST_CASE("a folder in which others may write is refused, and nothing in it is touched",
          "[transport][sqlite]") {
  data_folder folder;
  const auto victim = folder.path + "/../" + fs::path{folder.path}.filename().string() + ".victim";
  write_file(victim, "precious");
  fs::create_symlink(victim, folder.path + "/troupe.lock");
  for (const mode_t mode : {0777, 0775, 0770, 0703}) {
    REQUIRE(::chmod(folder.path.c_str(), mode) == 0);
    const auto why = refusal(folder.path);
    CHECK(why.code == errc::store_failed);
    CHECK(why.message.find("chmod go-w " + folder.path) != std::string::npos);
  }
  REQUIRE(::chmod(folder.path.c_str(), 01777) == 0);
  CHECK(refusal(folder.path).message.find(folder.path + "/troupe") != std::string::npos);
  CHECK(fs::file_size(victim) == 8);
  CHECK_FALSE(fs::exists(folder.file()));
  REQUIRE(::chmod(folder.path.c_str(), 0755) == 0);
  CHECK(refusal(folder.path).message.find("troupe.lock is a link") != std::string::npos);
  CHECK(fs::file_size(victim) == 8);
  fs::remove(folder.path + "/troupe.lock");
  folder.open(); // others may read the names in it
  fs::remove(victim);
}

TEST_CASE("links and pipes in the place of our files are refused", "[transport][sqlite]") {
  for (const char* name :
       {"/troupe.db", "/troupe.db-wal", "/troupe.db-shm", "/troupe.db.suspect", "/troupe.lock"}) {
    data_folder folder;
    const auto path = folder.path + name;
    write_file(folder.path + "/mine", "precious");
    fs::create_symlink("mine", path);
    CHECK(refusal(folder.path).message.find(path + " is a link") != std::string::npos);
    fs::remove(path);
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK(refusal(folder.path).message.find(path + " is not a regular") != std::string::npos);
    fs::remove(path);
    fs::create_hard_link(folder.path + "/mine", path);
    CHECK(refusal(folder.path).message.find(path + " has 2 names") != std::string::npos);
    CHECK(fs::file_size(folder.path + "/mine") == 8);
  }
}

TEST_CASE("a link to a folder of ours is followed", "[transport][sqlite]") {
  data_folder folder;
  fs::create_directory(folder.path + "/real");
  fs::create_directory_symlink("real", folder.path + "/name");
  failure why;
  CHECK(open_sqlite_store(folder.path + "/name", why, data_folder::options()) != nullptr);
  CHECK(fs::exists(folder.path + "/real/troupe.db"));
}

TEST_CASE("a database that others could use is closed to them, and that is said",
          "[transport][sqlite]") {
  data_folder folder;
  save(folder.open(), saving("s", {said(role::user, "a")}));
  folder.store.reset();
  folder.port.reset();
  REQUIRE(::chmod(folder.file().c_str(), 0664) == 0);
  CHECK(folder.open().load({"s"}).version == 1);
  CHECK(folder.port->notice().find("troupe.db (mode 0664)") != std::string::npos);
  CHECK(mode_of(folder.file()) == 0600);
  folder.open();
  CHECK(folder.port->notice().empty());
}

TEST_CASE("a database that is deleted, replaced or put back is noticed", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  CHECK_FALSE(store.in_place());
  fs::rename(folder.file(), folder.path + "/elsewhere");
  CHECK(store.in_place().code == errc::store_failed);
  CHECK(store.in_place().message.find(folder.file()) != std::string::npos);
  write_file(folder.file(), "another one");
  CHECK(store.in_place().code == errc::store_failed);
  fs::rename(folder.path + "/elsewhere", folder.file());
  CHECK_FALSE(store.in_place());
}

} // namespace sqlite_folder_test

// The log of writes is moved into the database while others write.
#include "transport/sqlite/sqlite_store_connection.hpp"

#include <chrono>

#include "tests/transport/sqlite/sqlite_folder_fixture.hpp"

namespace sqlite_log_mover_test {

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr size_t mebibyte = size_t{1024} * 1024;

/// Waits until the database file has so many bytes.
void wait_for_bytes(const data_folder& folder, size_t least) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (std::filesystem::file_size(folder.file()) < least)
    REQUIRE(std::chrono::steady_clock::now() < limit);
}

} // namespace

TEST_CASE("a long log is moved beside the writes", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  for (uint64_t i = 0; i < 6; ++i)
    save(store, saving("a", {said(role::user, std::string(mebibyte, 'x'))}, i));
  wait_for_bytes(folder, 4 * mebibyte);
  save(store, saving("a", {said(role::user, "more")}, 6));
  CHECK(store.load({"a"}).history.size() == 7);
  CHECK(folder.sql("PRAGMA integrity_check") == "ok");
}

TEST_CASE("upkeep has a short log moved", "[transport][sqlite]") {
  data_folder folder;
  auto& store = folder.open();
  const auto before = std::filesystem::file_size(folder.file());
  save(store, saving("a", {said(role::user, std::string(mebibyte, 'x'))}));
  bool more = false;
  REQUIRE_FALSE(store.tidy(more));
  wait_for_bytes(folder, before + mebibyte);
}

TEST_CASE("a mover ends whatever it is about to do", "[transport][sqlite]") {
  data_folder folder;
  folder.open();
  { sqlite_log_mover unused{{folder.file(), {}}}; }
  sqlite_log_mover nowhere{{folder.path + "/nothing", {}}};
  CHECK(nowhere.wake());
  sqlite_log_mover woken{{folder.file(), {}}};
  for (int i = 0; i < 3; ++i)
    CHECK(woken.wake());
}

} // namespace sqlite_log_mover_test

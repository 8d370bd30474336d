// A data folder that is gone when the test is, with a clock that tests set.
#pragma once

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "messages/json.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/store_asks.hpp"
#include "transport/sqlite/sqlite_store.hpp"

namespace troupe::test {

class data_folder {
public:
  data_folder() {
    std::string name = "/tmp/troupe-store-XXXXXX";
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
    store_time() = 1'700'000'000'000;
  }
  ~data_folder() {
    store.reset();
    port.reset();
    std::filesystem::remove_all(path);
  }
  data_folder(const data_folder&) = delete;
  data_folder& operator=(const data_folder&) = delete;

  std::string file() const { return path + "/troupe.db"; }
  static sqlite_options options() { return {next_store_time, 20, nullptr, 60'000}; }

  /// Opens the folder, closed before if it was open.
  /// @param statements SQL that each connection begins with
  store_connection& open(const char* statements = nullptr) {
    store.reset();
    port.reset();
    failure why;
    port = open_sqlite_store(path, why, {next_store_time, 20, statements, 60'000});
    INFO(why.text());
    REQUIRE(port != nullptr);
    store = another();
    return *store;
  }

  std::unique_ptr<store_connection> another(durability how = durability::normal) {
    return connected(*port, how);
  }

  /// Does SQL behind the store's back; returns the first column of the last row.
  std::string sql(const std::string& statements) {
    sqlite3* handle = nullptr;
    REQUIRE(sqlite3_open(file().c_str(), &handle) == SQLITE_OK);
    sqlite3_busy_timeout(handle, 10000); // the store may look after its file just now
    std::string out;
    auto keep = [](void* to, int, char** values, char**) {
      *static_cast<std::string*>(to) = values[0] == nullptr ? "" : values[0];
      return 0;
    };
    char* said = nullptr;
    const int result = sqlite3_exec(handle, statements.c_str(), keep, &out, &said);
    INFO(statements << ": " << (said == nullptr ? "" : said));
    CHECK(result == SQLITE_OK);
    sqlite3_free(said);
    sqlite3_close(handle);
    return out;
  }

  std::string path;
  std::unique_ptr<store_port> port;
  std::unique_ptr<store_connection> store;
};

/// Returns the permissions of a file.
inline int mode_of(const std::string& path) {
  struct stat about {};
  REQUIRE(::stat(path.c_str(), &about) == 0);
  return about.st_mode & 0777;
}

/// Writes a file anew, or bytes of one that there is from `at` on.
inline void write_file(const std::string& path, const std::string& content, std::streamoff at = 0) {
  std::fstream file{path, at == 0 ? std::ios::out : std::ios::in | std::ios::out};
  file.seekp(at);
  file << content;
}

/// Expects a folder to be refused, and returns why.
inline failure refusal(const std::string& folder) {
  failure why;
  CHECK(open_sqlite_store(folder, why, data_folder::options()) == nullptr);
  return why;
}

} // namespace troupe::test

// A store in a PostgreSQL of the test program's own, in a schema of the test's own.
#pragma once

#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/shared_postgres.hpp"
#include "tests/support/store_asks.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"
#include "transport/postgres/postgres_store.hpp"

namespace troupe::test {

class postgres_folder {
public:
  postgres_folder() {
    static int count = 0;
    schema = "test_" + std::to_string(::getpid()) + "_" + std::to_string(++count);
    store_time() = 1'700'000'000'000;
  }
  ~postgres_folder() {
    store.reset();
    port.reset();
    sql("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
  }
  postgres_folder(const postgres_folder&) = delete;
  postgres_folder& operator=(const postgres_folder&) = delete;

  postgres_options options() const {
    postgres_options out;
    out.now_ms = next_store_time;
    out.schema = schema;
    out.question = out.hold_wait = std::chrono::minutes{1}; // of a busy machine
    return out;
  }

  /// Those of a server that does not wait for another one to end.
  postgres_options impatient() const {
    auto out = options();
    out.hold_wait = {};
    return out;
  }

  /// Opens the database, closed before if it was open.
  store_connection& open(const owner_quota& quota = {}) {
    store.reset();
    port.reset();
    auto how = options();
    how.quota = quota;
    port = opened(how);
    store = another();
    return *store;
  }

  static std::unique_ptr<store_port> opened(const postgres_options& how) {
    failure why;
    auto made = open_postgres_store(shared_postgres().url(), why, how);
    INFO(why.text());
    REQUIRE(made != nullptr);
    return made;
  }

  std::unique_ptr<store_connection> another(durability how = durability::normal) {
    return connected(*port, how);
  }

  /// A connection past the store, in its schema.
  std::unique_ptr<postgres_connection> beside() const {
    return std::make_unique<postgres_connection>(postgres_place{shared_postgres().url(), "the test",
                                                                "SET search_path = " + schema,
                                                                std::chrono::milliseconds{10'000}});
  }

  /// Does SQL behind the store's back.
  void sql(const std::string& statements) const {
    const auto error = beside()->execute(statements);
    INFO(statements << ": " << error.text());
    CHECK_FALSE(error);
  }

  /// Returns the number that a question comes back with. @param question a literal
  int64_t number(const char* question) const {
    postgres_rows rows;
    const auto error = beside()->ask(question, {}, rows);
    INFO(question << ": " << error.text());
    REQUIRE_FALSE(error);
    REQUIRE(rows.next());
    return rows.integer(0);
  }

  std::string schema;
  std::unique_ptr<store_port> port;
  std::unique_ptr<store_connection> store;
};

} // namespace troupe::test

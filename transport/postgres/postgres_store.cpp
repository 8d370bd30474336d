#include "transport/postgres/postgres_store.hpp"

#include <random>
#include <utility>

#include <fmt/format.h>

#include "transport/postgres/connection/postgres_schema.hpp"
#include "transport/postgres/connection/postgres_target.hpp"
#include "transport/postgres/postgres_hold.hpp"
#include "transport/postgres/postgres_reading.hpp"
#include "transport/postgres/postgres_store_connection.hpp"

namespace troupe {

namespace {

int64_t clock_now_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

/// Names this start of this process among all others.
uint64_t make_node() {
  std::random_device source;
  return std::uniform_int_distribution<uint64_t>{1, INT64_MAX}(source);
}

const char* commit_of(durability how) {
  switch (how) {
  case durability::full:
    return "on";
  case durability::normal: // standbys are not waited for
    return "local";
  case durability::none:
    break;
  }
  return "off";
}

/// All statements find their rows by an index. A plan that was made while a table was empty would
/// read the whole table, and be kept.
std::string settings_of(const postgres_options& options, durability how) {
  return fmt::format("SET search_path = {}; SET synchronous_commit = {}; "
                     "SET client_min_messages = warning; SET plan_cache_mode = force_generic_plan; "
                     "SET enable_seqscan = off; SET enable_hashjoin = off; "
                     "SET enable_mergejoin = off; SET jit = off; SET lock_timeout = '5s'",
                     options.schema, commit_of(how));
}

postgres_place place_of(const std::string& url, const postgres_options& options, durability how) {
  return {url, shown_postgres_url(url), settings_of(options, how), options.patience};
}

class postgres_store : public store_port {
public:
  postgres_store(std::string url, postgres_options options)
      : url_{std::move(url)}, options_{std::move(options)}, readers_{place_of(url_, options_,
                                                                              durability::normal),
                                                                     node_} {}

  failure hold() {
    hold_ = std::make_unique<postgres_hold>(place_of(url_, options_, durability::normal), node_,
                                            options_.alone);
    return hold_->take();
  }

  std::unique_ptr<store_connection> open(durability how, failure& why) override {
    auto* now_ms = options_.now_ms == nullptr ? clock_now_ms : options_.now_ms;
    auto made = std::make_unique<postgres_store_connection>(
        postgres_manner{place_of(url_, options_, how), now_ms, options_.question, options_.quota,
                        node_, hold_.get()});
    why = made->connect();
    if (why)
      return nullptr;
    return made;
  }

  std::unique_ptr<chat_reading> read_chat(const load_chat& ask, failure&) override {
    return readers_.begin(ask);
  }

  bool shared() const override { return true; }
  std::string path() const override { return shown_postgres_url(url_); }
  std::string notice() const override { return {}; }

private:
  std::string url_;
  postgres_options options_;
  uint64_t node_ = make_node();
  postgres_readers readers_;
  std::unique_ptr<postgres_hold> hold_;
};

} // namespace

std::unique_ptr<store_port> open_postgres_store(const std::string& url, failure& why,
                                                const postgres_options& options) {
  if (why = postgres_url_fault(url); why)
    return nullptr;
  postgres_connection db{place_of(url, options, durability::full)};
  if (why = migrate_postgres(db, options.schema); why)
    return nullptr;
  auto out = std::make_unique<postgres_store>(url, options);
  if (options.serves)
    why = out->hold();
  if (why)
    return nullptr;
  return out;
}

std::unique_ptr<store_port> open_postgres_keys(const std::string& url, failure& why,
                                               postgres_options options) {
  options.serves = false;
  return open_postgres_store(url, why, options);
}

} // namespace troupe

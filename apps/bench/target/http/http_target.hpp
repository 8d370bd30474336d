// Targets over HTTP.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>

#include "apps/bench/plan/plan.hpp"
#include "apps/bench/target/http/http_dialect.hpp"
#include "apps/bench/target/target.hpp"
#include "transport/http_client/http_client.hpp"
#include "transport/loop/loop.hpp"

namespace troupe::bench {

class http_turn;

/// Turns of one lane. Where each turn brings the chat so far, the chats with turns to come are
/// kept: one is forgotten with its last turn, when a turn of it fails, and when one is cut off.
class http_target final : public target {
public:
  /// @param turns of each session @param client and `dialect` must outlive the target
  http_target(http_port& client, const http_dialect& dialect, uint32_t turns);

  std::unique_ptr<running_turn> start(const turn_ask& ask, watcher watch) override;

private:
  class handle;

  /// Which turn of which session.
  struct turn_place {
    std::string session_id;
    uint32_t number = 0;
  };

  bool keeps_chat(const turn_place& place) const;
  void settle(const turn_place& place, answer_reader& said, bool well);
  std::shared_ptr<chat_history> history_of(const turn_ask& ask);
  void forget(const std::string& session_id);
  void read_on(std::shared_ptr<http_turn> turn);

  http_port& client_;
  const http_dialect& dialect_;
  uint32_t turns_;
  std::unordered_map<std::string, std::shared_ptr<chat_history>> chats_;

  /// Turns that are over but whose bodies have not ended, with the time of the turn's end.
  std::deque<std::pair<time_point, std::shared_ptr<http_turn>>> ending_;
};

/// One libcurl client for all lanes, each with connections of its own that are kept alive.
class http_targets final : public target_factory {
public:
  http_targets(const bench_plan& plan, shards& lanes);

  failure check() override;
  std::unique_ptr<target> make(loop& lane) override;
  int pid() const override;
  std::string route_note() const override;

private:
  bench_plan plan_;
  std::unique_ptr<http_dialect> dialect_;
  http_client client_;
};

} // namespace troupe::bench

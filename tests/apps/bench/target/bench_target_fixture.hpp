// A target of troupe-bench on a lane of its own, used from a test's thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/bench/targets.hpp"
#include "tests/apps/bench/target/http/bench_answers.hpp"
#include "tests/transport/http_server/http_server_fixture.hpp"

namespace troupe::test {

/// Starts turns and collects their observations. Turns are ended on the lane's loop.
class target_fixture {
public:
  explicit target_fixture(const bench::bench_plan& plan)
      : loops_{1}, factory_{bench::make_targets(plan, loops_)} {
    on_loop([&] { target_ = factory_->make(loops_.at(0)); });
  }
  ~target_fixture() {
    on_loop([&] {
      turn_.reset();
      target_.reset();
    });
  }
  target_fixture(const target_fixture&) = delete;
  target_fixture& operator=(const target_fixture&) = delete;

  bench::target_factory& factory() { return *factory_; }

  void start(const bench::turn_ask& ask) {
    on_loop([&] {
      turn_ = target_->start(ask, [this](const turn_observation& each) { told_.put(each); });
    });
  }

  /// Waits for the next observation.
  turn_observation next() { return told_.take(); }

  /// Waits for the last observation and returns all that were not taken yet.
  std::vector<turn_observation> rest() {
    std::vector<turn_observation> out;
    do
      out.push_back(told_.take());
    while (out.back().what != observed::end && out.back().what != observed::failed);
    on_loop([&] { turn_.reset(); });
    return out;
  }

  std::vector<turn_observation> run(const bench::turn_ask& ask) {
    start(ask);
    return rest();
  }

  bool cancel() {
    bool told = false;
    on_loop([&] { told = turn_->cancel(); });
    return told;
  }

  void pause() {
    on_loop([&] { turn_->pause(); });
  }
  void resume() {
    on_loop([&] { turn_->resume(); });
  }
  void cut_off() {
    on_loop([&] { turn_.reset(); });
  }

  bool is_silent() const { return told_.empty(); }

private:
  void on_loop(const task& work) { loops_.at(0).call(work); }

  shards loops_;
  std::unique_ptr<bench::target_factory> factory_;
  std::unique_ptr<bench::target> target_;
  std::unique_ptr<bench::running_turn> turn_;
  mailbox<turn_observation> told_;
};

inline bench::bench_plan plan_of(bench::target_kind kind, std::string url = "",
                                 std::string model = "") {
  bench::bench_plan out;
  out.target.kind = kind;
  out.target.url = std::move(url);
  out.target.model = std::move(model);
  return out;
}

inline bench::turn_ask ask_of(std::string session, uint32_t number = 0, std::string text = "hi",
                              uint32_t history = 0) {
  return {std::move(session), number, std::move(text), history};
}

} // namespace troupe::test

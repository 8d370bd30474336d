// Targets of the generator's tests, which answer at once, or never.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "apps/bench/target/target.hpp"
#include "transport/loop/loop.hpp"

namespace troupe::bench {

/// A plan of sessions that begin that way, without an end by time.
inline bench_plan plan_of(arrival_kind kind, double rate) {
  bench_plan out;
  out.arrivals = {kind, rate, rate, 1};
  out.bounds.length = std::chrono::seconds{0};
  return out;
}

/// What the targets of a test do with a turn.
enum class manner { answers, fails, hangs, hangs_until_cancelled, stops_late, burns };

/// How long before it was told a turn that `stops_late` has ended.
inline constexpr auto late_stop = std::chrono::milliseconds{30};

/// Targets whose turns are over in the next step of the loop, or never.
struct fake_targets : target_factory {
  explicit fake_targets(manner what) : how{what} {}

  struct turn : running_turn {
    turn(fake_targets& all, loop& on, target::watcher told)
        : of{all}, home{on}, watch{std::make_shared<target::watcher>(std::move(told))} {
      ++of.running;
    }
    ~turn() override { --of.running; }
    bool cancel() override {
      ++of.cancels;
      if (of.how != manner::hangs_until_cancelled && of.how != manner::stops_late)
        return false;
      tell(bench::observed::end);
      return true;
    }
    void pause() override { ++of.pauses; }
    void resume() override { ++of.resumes; }
    void tell(bench::observed what) {
      const auto before =
          of.how == manner::stops_late ? late_stop : std::chrono::milliseconds::zero();
      home.post([what, before, weak = std::weak_ptr{watch}] {
        if (const auto told = weak.lock())
          (*told)({.what = what,
                   .at = std::chrono::steady_clock::now() - before,
                   .code = what == bench::observed::failed ? errc::model_failed : errc::none,
                   .text = {}});
      });
    }
    fake_targets& of;
    loop& home;
    std::shared_ptr<target::watcher> watch;
  };

  struct on_lane : target {
    on_lane(fake_targets& all, loop& on) : of{all}, home{on} {}
    std::unique_ptr<running_turn> start(const turn_ask& ask, watcher watch) override {
      of.note(ask);
      auto out = std::make_unique<turn>(of, home, std::move(watch));
      if (of.how == manner::burns)
        for (const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds{10};
             std::chrono::steady_clock::now() < until;) {
        }
      if (of.how == manner::answers || of.how == manner::burns) {
        out->tell(bench::observed::text);
        out->tell(bench::observed::end);
      } else if (of.how == manner::fails) {
        out->tell(bench::observed::failed);
      }
      return out;
    }
    fake_targets& of;
    loop& home;
  };

  failure check() override { return {}; }
  std::unique_ptr<target> make(loop& lane) override {
    return std::make_unique<on_lane>(*this, lane);
  }
  void note(const turn_ask& ask) {
    std::lock_guard guard{mutex};
    asked[ask.session_id].push_back(ask);
    most_running = std::max(most_running, running.load());
  }

  const manner how;
  std::atomic<int> running{0}, cancels{0}, pauses{0}, resumes{0};
  std::mutex mutex;
  int most_running = 0; // before the last start
  std::map<std::string, std::vector<turn_ask>> asked;
};

} // namespace troupe::bench

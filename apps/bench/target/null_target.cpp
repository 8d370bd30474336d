#include "apps/bench/target/null_target.hpp"

#include <utility>

#include "transport/loop/loop.hpp"

namespace troupe::bench {

namespace {

class null_turn : public running_turn {
public:
  null_turn(loop& lane, target::watcher watch) : watch_{std::make_shared<target::watcher>()} {
    *watch_ = std::move(watch);
    lane.post([weak = std::weak_ptr{watch_}] {
      if (const auto told = weak.lock()) {
        const auto now = std::chrono::steady_clock::now();
        (*told)({.what = observed::text, .at = now, .text = {}});
        (*told)({.what = observed::end, .at = now, .text = {}});
      }
    });
  }

  bool cancel() override { return false; }
  void pause() override {}
  void resume() override {}

private:
  std::shared_ptr<target::watcher> watch_;
};

class null_target : public target {
public:
  explicit null_target(loop& lane) : lane_{lane} {}

  std::unique_ptr<running_turn> start(const turn_ask&, watcher watch) override {
    return std::make_unique<null_turn>(lane_, std::move(watch));
  }

private:
  loop& lane_;
};

} // namespace

std::unique_ptr<target> null_targets::make(loop& lane) {
  return std::make_unique<null_target>(lane);
}

} // namespace troupe::bench

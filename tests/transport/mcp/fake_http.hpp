// An http_port without a network: the test sees every request and gives the answer.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "messages/ports/ports.hpp"
#include "tests/support/catch.hpp"

namespace troupe::test {

/// One request that was opened; the test's thread answers it.
class fake_exchange {
public:
  fake_exchange(http_request what, uint64_t number, http_port::receiver deliver)
      : request{std::move(what)}, number_{number}, deliver_{std::move(deliver)} {}

  std::string field(std::string_view name) const {
    for (const auto& each : request.fields)
      if (each.name == name)
        return each.value;
    return {};
  }

  void head(uint16_t status, std::string content_type, std::string session = {}) {
    http_part part;
    part.status = status;
    part.content_type = std::move(content_type);
    part.session = std::move(session);
    give(std::move(part));
  }

  void bytes(std::string_view text) {
    http_part part;
    part.bytes = text;
    give(std::move(part));
  }

  void end(errc error = errc::none, std::string text = {}) {
    http_part part;
    part.last = true;
    part.error = error;
    part.error_text = std::move(text);
    give(std::move(part));
  }

  /// A whole answer that leads elsewhere.
  void redirect(uint16_t status, std::string location) {
    http_part part;
    part.status = status;
    part.location = std::move(location);
    part.last = true;
    give(std::move(part));
  }

  /// A whole answer in one part.
  void answer(uint16_t status, std::string content_type, std::string_view body,
              std::string session = {}) {
    http_part part;
    part.status = status;
    part.content_type = std::move(content_type);
    part.session = std::move(session);
    part.bytes = body;
    part.last = true;
    give(std::move(part));
  }

  http_request request;

private:
  void give(http_part part) {
    part.exchange = number_;
    deliver_(std::move(part));
  }

  uint64_t number_;
  http_port::receiver deliver_;
};

/// Hands the opened requests to the test in their order. Any thread; waits end after 20 s.
class fake_http final : public http_port {
public:
  std::unique_ptr<http_exchange> open(http_request request, uint64_t exchange,
                                      receiver deliver) override {
    std::lock_guard guard{mutex_};
    opened_.push_back(
        std::make_unique<fake_exchange>(std::move(request), exchange, std::move(deliver)));
    ++alive_;
    changed_.notify_all();
    return std::make_unique<handle>(*this);
  }

  std::unique_ptr<fake_exchange> next() {
    std::unique_lock guard{mutex_};
    const bool in_time =
        changed_.wait_for(guard, std::chrono::seconds{20}, [this] { return !opened_.empty(); });
    REQUIRE(in_time);
    auto out = std::move(opened_.front());
    opened_.pop_front();
    return out;
  }

  /// Returns the next request, which must have that method.
  std::unique_ptr<fake_exchange> next(std::string_view method) {
    auto out = next();
    REQUIRE(out->request.method == method);
    return out;
  }

  /// Waits until at most `count` exchanges are held.
  void wait_for_alive(int count) {
    std::unique_lock guard{mutex_};
    const bool in_time =
        changed_.wait_for(guard, std::chrono::seconds{20}, [&] { return alive_ <= count; });
    REQUIRE(in_time);
  }

  /// Waits until exchanges were paused and resumed that often, all together.
  void wait_for_pauses(int pauses, int resumes) {
    std::unique_lock guard{mutex_};
    const bool in_time = changed_.wait_for(
        guard, std::chrono::seconds{20}, [&] { return pauses_ == pauses && resumes_ == resumes; });
    REQUIRE(in_time);
  }

  bool idle() {
    std::lock_guard guard{mutex_};
    return opened_.empty();
  }

private:
  class handle final : public http_exchange {
  public:
    explicit handle(fake_http& port) : port_{port} {}
    ~handle() override {
      std::lock_guard guard{port_.mutex_};
      --port_.alive_;
      port_.changed_.notify_all();
    }
    void pause() override { count(port_.pauses_); }
    void resume() override { count(port_.resumes_); }

  private:
    void count(int& what) {
      std::lock_guard guard{port_.mutex_};
      ++what;
      port_.changed_.notify_all();
    }

    fake_http& port_;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<fake_exchange>> opened_;
  int alive_ = 0;
  int pauses_ = 0;
  int resumes_ = 0;
};

} // namespace troupe::test

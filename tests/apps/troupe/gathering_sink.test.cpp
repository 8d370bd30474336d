#include "apps/troupe/gathering_sink.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <memory>
#include <string>

#include <spdlog/logger.h>

#include "tests/support/catch.hpp"

namespace gathering_sink_test {

using namespace troupe;

namespace {

/// A logger whose lines go into a pipe, which nobody reads before all().
class piped_log {
public:
  /// @param flags of the end that is written to
  explicit piped_log(int flags = 0) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    reads_ = ends[0];
    writes_ = ends[1];
    REQUIRE(::fcntl(writes_, F_SETFL, flags) == 0);
    logger_ = std::make_unique<spdlog::logger>("test", std::make_shared<gathering_sink>(writes_));
    logger_->set_pattern("%v");
  }
  ~piped_log() { ::close(reads_); }

  void line(const std::string& text) { logger_->info(text); }

  /// Ends the log; returns what it has written.
  std::string all() {
    auto ending = std::async(std::launch::async, [this] {
      logger_.reset();
      ::close(writes_);
    });
    std::string out;
    std::array<char, 65536> part{};
    for (ssize_t n = 0; (n = ::read(reads_, part.data(), part.size())) > 0;)
      out.append(part.data(), static_cast<size_t>(n));
    ending.get();
    return out;
  }

  /// Ends the log; returns whether that works while nobody reads.
  bool ends_unread() {
    auto ending = std::async(std::launch::async, [this] { logger_.reset(); });
    const auto ended = ending.wait_for(std::chrono::seconds{20}) == std::future_status::ready;
    ::fcntl(reads_, F_SETFL, O_NONBLOCK);
    std::array<char, 65536> part{};
    while (ending.wait_for(std::chrono::milliseconds{1}) != std::future_status::ready)
      if (::read(reads_, part.data(), part.size()) == 0)
        break;
    ::close(writes_);
    return ended;
  }

private:
  int reads_ = -1, writes_ = -1;
  std::unique_ptr<spdlog::logger> logger_;
};

} // namespace

TEST_CASE("log lines come whole and in order, the last ones at the end", "[apps][log]") {
  piped_log log;
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    log.line("line " + std::to_string(i));
    expected += "line " + std::to_string(i) + "\n";
  }
  CHECK(log.all() == expected);
}

TEST_CASE("a reader that stands still costs the oldest lines, and no logger waits", "[apps][log]") {
  piped_log log;
  const std::string filler(1000, 'x');
  constexpr int lines = 20'000; // 20 MB
  for (int i = 0; i < lines; ++i)
    log.line(std::to_string(i) + ' ' + filler);
  auto out = log.all();
  CHECK(out.size() < size_t{8} * 1024 * 1024);
  CHECK(out.ends_with(std::to_string(lines - 1) + ' ' + filler + "\n"));
  auto count = std::count(out.begin(), out.end(), '\n');
  CHECK(static_cast<size_t>(std::count(out.begin(), out.end(), ' ')) == static_cast<size_t>(count));
}

TEST_CASE("the end does not wait for a reader that takes nothing", "[apps][log]") {
  piped_log log{GENERATE(0, O_NONBLOCK)};
  const std::string filler(1000, 'x');
  for (int i = 0; i < 1000; ++i) // more than a pipe takes
    log.line(filler);
  CHECK(log.ends_unread());
}

TEST_CASE("a pipe that does not block loses no line", "[apps][log]") {
  piped_log log{O_NONBLOCK};
  const std::string filler(1000, 'x');
  std::string expected;
  for (int i = 0; i < 1000; ++i) { // more than a pipe takes
    log.line(filler);
    expected += filler + "\n";
  }
  CHECK(log.all() == expected);
}

} // namespace gathering_sink_test

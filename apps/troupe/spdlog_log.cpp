#include "apps/troupe/spdlog_log.hpp"

#include <fmt/format.h>
#include <spdlog/async.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace troupe {

namespace {

/// Lines that wait for the thread that writes them.
constexpr size_t max_waiting = 8192;

spdlog::level::level_enum level_of(log_level level) {
  switch (level) {
  case log_level::debug:
    return spdlog::level::debug;
  case log_level::info:
    return spdlog::level::info;
  case log_level::warning:
    return spdlog::level::warn;
  case log_level::error:
    return spdlog::level::err;
  }
  return spdlog::level::info;
}

class spdlog_log final : public log_port {
public:
  explicit spdlog_log(spdlog::level::level_enum level)
      : pool_(std::make_shared<spdlog::details::thread_pool>(max_waiting, 1)),
        logger_(std::make_shared<spdlog::async_logger>(
            "troupe", std::make_shared<spdlog::sinks::stderr_sink_mt>(), pool_,
            spdlog::async_overflow_policy::overrun_oldest)) {
    logger_->set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})",
                         spdlog::pattern_time_type::utc);
    logger_->set_level(level);
  }

  bool takes(log_level level) const override { return logger_->should_log(level_of(level)); }

  void write(log_level level, std::string_view what, std::string_view members) override {
    logger_->log(level_of(level), R"("event":"{}"{}{})", what, members.empty() ? "" : ",", members);
  }

private:
  std::shared_ptr<spdlog::details::thread_pool> pool_;
  std::shared_ptr<spdlog::logger> logger_;
};

} // namespace

std::shared_ptr<log_port> make_spdlog_log(const std::string& level) {
  auto least = spdlog::level::from_str(level);
  return least == spdlog::level::off ? nullptr : std::make_shared<spdlog_log>(least);
}

} // namespace troupe

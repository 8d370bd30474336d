#include "apps/troupe/spdlog_log.hpp"

#include <unistd.h>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "apps/troupe/gathering_sink.hpp"

namespace troupe {

namespace {

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
      : logger_{"troupe", std::make_shared<gathering_sink>(STDERR_FILENO)} {
    logger_.set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})",
                        spdlog::pattern_time_type::utc);
    logger_.set_level(level);
  }

  bool takes(log_level level) const override { return logger_.should_log(level_of(level)); }

  void write(log_level level, std::string_view what, std::string_view rest) override {
    fmt::memory_buffer text;
    fmt::format_to(std::back_inserter(text), R"("event":"{}"{}{})", what, rest.empty() ? "" : ",",
                   rest);
    logger_.log(level_of(level), std::string_view{text.data(), text.size()});
  }

private:
  spdlog::logger logger_;
};

} // namespace

std::shared_ptr<log_port> make_spdlog_log(const std::string& level) {
  auto least = spdlog::level::from_str(level);
  return least == spdlog::level::off ? nullptr : std::make_shared<spdlog_log>(least);
}

} // namespace troupe

#include "apps/troupe/asked_server.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "messages/terminal_text.hpp"
#include "messages/utf8.hpp"

namespace troupe {

// -- server wait ----------------------------------------------------------------------------------

namespace {

/// Waits until every MCP server is connected or has failed once, as long as the slowest may take,
/// and says on stderr which ones are awaited, and which still connect in the end.
/// @param config of the engine
void wait_for_servers(engine& running, const engine_config& config);

/// Returns how long a command waits for its servers: as long as the slowest may take to answer
/// `initialize`, and a while for the list of its tools.
std::chrono::milliseconds wait_limit(const engine_config& config) {
  std::chrono::milliseconds limit{15'000};
  for (const auto& each : config.mcp_servers)
    if (each.enabled)
      limit = std::max(limit, connect_limit(each) + std::chrono::seconds{1});
  return limit;
}

/// Says now and then which servers are awaited: at a terminal each second, in one line that is
/// written over; elsewhere once a minute.
class waiting_notice {
public:
  explicit waiting_notice(engine& running) : running_{running} {}

  ~waiting_notice() {
    if (shown_ && terminal_)
      fmt::print(stderr, "\r\x1b[K");
  }
  waiting_notice(const waiting_notice&) = delete;
  waiting_notice& operator=(const waiting_notice&) = delete;

  void show(std::chrono::seconds waited) {
    if (waited < due_)
      return;
    due_ = waited + std::chrono::seconds{terminal_ ? 1 : 60};
    std::string names;
    for (const auto& each : running_.mcp().servers())
      if (each.health == server_health::connecting)
        names += (names.empty() ? "" : ", ") + each.name;
    if (names.empty())
      return;
    shown_ = true;
    const auto text = fmt::format("troupe: {} s; connecting to {}", waited.count(), names);
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "",
               terminal_text(utf8_prefix(text, terminal_ ? 79 : 1000)), terminal_ ? "" : "\n");
    std::fflush(stderr);
  }

private:
  engine& running_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
  std::chrono::seconds due_{3};
};

bool wait(engine& running, std::chrono::milliseconds limit) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds step{1000};
  waiting_notice notice{running};
  const auto begun = clock::now();
  for (;;) {
    const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - begun);
    if (running.wait_for_servers(std::clamp(limit - waited, std::chrono::milliseconds{0}, step)))
      return true;
    if (waited >= limit)
      return false;
    notice.show(std::chrono::duration_cast<std::chrono::seconds>(clock::now() - begun));
  }
}

void wait_for_servers(engine& running, const engine_config& config) {
  if (wait(running, wait_limit(config)))
    return;
  for (const auto& each : running.mcp().servers())
    if (each.health == server_health::connecting)
      fmt::print(stderr, "troupe: MCP server '{}' is still connecting\n", each.name);
}

} // namespace

// -- asked server ---------------------------------------------------------------------------------

asked_server::~asked_server() {
  client_.reset();
  if (engine_)
    engine_->shutdown(std::chrono::milliseconds{0});
}

failure asked_server::start(std::unique_ptr<engine> made, const engine_config& config,
                            std::string key) {
  engine_ = std::move(made);
  if (auto bad = engine_->listen("127.0.0.1:0"))
    return bad;
  client_ = std::make_unique<server_client>(fmt::format("http://127.0.0.1:{}", engine_->port()),
                                            std::move(key));
  wait_for_servers(*engine_, config);
  return {};
}

} // namespace troupe

#include "apps/troupe/mcp/mcp_client.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/engine/keys.hpp"
#include "messages/terminal_text.hpp"
#include "messages/utf8.hpp"

namespace troupe {

namespace {

/// Returns how long a command waits for its servers: as long as the slowest may take to answer
/// `initialize`, and a while for the list of its tools.
std::chrono::milliseconds wait_limit(const engine_config& config) {
  std::chrono::milliseconds limit{15'000};
  for (const auto& each : config.mcp_servers)
    if (each.enabled)
      limit = std::max(limit, connect_limit(each) + std::chrono::seconds{1});
  return limit;
}

/// How long resources and prompts may take, which are listed after the tools.
constexpr std::chrono::seconds list_limit{10};

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

bool wait_for_servers(engine& running, std::chrono::milliseconds limit) {
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

std::string names_of(const engine_config& config) {
  std::string out;
  for (const auto& each : config.mcp_servers)
    out += ' ' + each.name;
  return out;
}

/// Drops all servers but `server`: no other one has to be started.
failure keep_only(const std::string& server, engine_config& config) {
  auto others = [&](const mcp_server_config& each) { return each.name != server; };
  auto& all = config.mcp_servers;
  if (std::all_of(all.begin(), all.end(), others))
    return {errc::server_unknown, fmt::format("there is no MCP server '{}'; configured are:{}",
                                              server, names_of(config))};
  std::erase_if(all, others);
  return {};
}

} // namespace

mcp_client::~mcp_client() {
  server_.reset();
  if (engine_)
    engine_->shutdown(std::chrono::milliseconds{0});
}

failure mcp_client::start() {
  if (options_.url.empty())
    return start_engine();
  server_ = std::make_unique<server_client>(options_.url);
  return {};
}

void mcp_client::wait_for_lists() {
  if (engine_)
    engine_->wait_for_lists(list_limit);
}

failure mcp_client::start_engine() {
  engine_config config;
  if (auto bad = options_.engine.load(config))
    return bad;
  engine_options::print_notes(config);
  config.shards = 1;
  config.store = {}; // a running server may use the folder
  std::string key;   // needed because every user of the machine can reach the port
  if (auto bad = grant_own_key(config, key))
    return bad;
  if (config.mcp_servers.empty())
    fmt::print(stderr, "troupe: no MCP server is configured; name a file with --config, or a "
                       "running server with --server\n");
  if (!options_.server.empty())
    if (auto bad = keep_only(options_.server, config))
      return bad;
  engine_ = std::make_unique<engine>(config);
  if (auto bad = engine_->listen("127.0.0.1:0"))
    return bad;
  server_ = std::make_unique<server_client>(fmt::format("http://127.0.0.1:{}", engine_->port()),
                                            std::move(key));
  if (!wait_for_servers(*engine_, wait_limit(config)))
    for (const auto& each : engine_->mcp().servers())
      if (each.health == server_health::connecting)
        fmt::print(stderr, "troupe: MCP server '{}' is still connecting\n", each.name);
  return {};
}

} // namespace troupe

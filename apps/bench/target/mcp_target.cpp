#include "apps/bench/target/mcp_target.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apps/bench/target/engine_target.hpp"
#include "apps/bench/target/listening_process.hpp"
#include "apps/bench/target/posted_turn.hpp"
#include "apps/bench/target/target_address.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe::bench {

namespace {

constexpr uint32_t any_number_of_calls = 1'000'000;
constexpr std::chrono::seconds connect_limit{30};

class running_call final : public running_turn {
public:
  explicit running_call(std::shared_ptr<posted_turn> turn) : turn_{std::move(turn)} {}
  ~running_call() override { turn_->let_go(); }
  running_call(const running_call&) = delete;
  running_call& operator=(const running_call&) = delete;

  bool cancel() override {
    turn_->let_go();
    return false;
  }

  void pause() override {}
  void resume() override {}

private:
  std::shared_ptr<posted_turn> turn_;
};

std::vector<turn_observation> observations_of(const tool_result& answer) {
  std::vector<turn_observation> out{observation_of(observed::tool_end)};
  out.push_back(answer.error ? observation_of(answer.error) : observation_of(observed::end));
  for (auto& each : out) {
    each.at = out.front().at;
    each.bytes = answer.result.text.size();
  }
  return out;
}

class mcp_target final : public target {
public:
  mcp_target(engine* home, failure wrong, call_tool call, loop& lane)
      : home_{home}, wrong_{std::move(wrong)}, call_{std::move(call)}, lane_{lane} {}

  std::unique_ptr<running_turn> start(const turn_ask&, watcher watch) override {
    auto turn = std::make_shared<posted_turn>(lane_, std::move(watch));
    if (home_ == nullptr) {
      turn->tell({observation_of(wrong_)});
      return std::make_unique<running_call>(std::move(turn));
    }
    turn->tell({observation_of(observed::tool_start)});
    home_->mcp().call_tool(
        call_, [turn](const tool_result& answer) { turn->tell(observations_of(answer)); });
    return std::make_unique<running_call>(std::move(turn));
  }

private:
  engine* home_;
  failure wrong_;
  call_tool call_;
  loop& lane_;
};

template <class Range, class Name>
std::string listed(const Range& all, Name name) {
  std::string out;
  for (const auto& each : all)
    out.append(out.empty() ? "" : ", ").append(name(each));
  return out.empty() ? "none" : out;
}

/// Returns why the tool cannot be called, as its server lists it.
failure look_for_tool(const server_status& server, const std::string& tool) {
  if (server.health != server_health::success)
    return {errc::config_invalid,
            fmt::format("the MCP server '{}' is not connected: {}", server.name,
                        server.error_text.empty() ? to_string(server.phase) : server.error_text)};
  const auto& tools = server.offered->tools;
  const auto named = [&](const mcp::tool& each) { return each.name == tool; };
  if (std::any_of(tools.begin(), tools.end(), named))
    return {};
  return {errc::config_invalid,
          fmt::format("the MCP server '{}' has no tool '{}'; it has: {}", server.name, tool,
                      listed(tools, [](const mcp::tool& each) { return each.name; }))};
}

} // namespace

mcp_targets::mcp_targets(const bench_plan& plan) : target_{plan.target} {
  engine_config config;
  wrong_ = read_target_config(target_, config);
  config.store = {}; // there are no chats, and stored servers must not be used
  if (!wrong_)
    wrong_ = find_server(config);
  if (!wrong_ && !is_json_object(target_.arguments))
    wrong_ = {errc::config_invalid, "the arguments of the tool must be a JSON object"};
  if (wrong_)
    wrong_.code = errc::config_invalid;
  else
    engine_ = make_engine(std::move(config), wrong_);
}

/// Leaves the one server that is asked for.
failure mcp_targets::find_server(engine_config& config) {
  auto& servers = config.mcp_servers;
  const auto names = listed(servers, [](const auto& each) { return each.name; });
  if (target_.server.empty() && servers.size() != 1)
    return {errc::config_invalid, fmt::format("name one of the configured MCP servers: {}", names)};
  if (!target_.server.empty())
    std::erase_if(servers, [&](const auto& each) { return each.name != target_.server; });
  if (servers.empty())
    return {errc::config_invalid, fmt::format("there is no MCP server '{}' in the configuration; "
                                              "there is: {}",
                                              target_.server, names)};
  servers.front().max_parallel = any_number_of_calls;
  servers.front().enabled = true;
  target_.server = servers.front().name;
  target_.url = servers.front().url;
  return {};
}

failure mcp_targets::check() {
  if (!engine_)
    return wrong_;
  engine_->wait_for_servers(connect_limit);
  for (const auto& each : engine_->mcp().servers())
    if (each.name == target_.server)
      return look_for_tool(each, target_.tool);
  return {errc::config_invalid, "the MCP server is gone"};
}

std::unique_ptr<target> mcp_targets::make(loop& lane) {
  call_tool call;
  call.server = target_.server;
  call.tool = target_.tool;
  call.arguments = target_.arguments;
  return std::make_unique<mcp_target>(engine_.get(), wrong_, std::move(call), lane);
}

std::string mcp_targets::route_note() const {
  return target_.url.empty() ? "" : proxy_note(target_.url);
}

int mcp_targets::pid() const {
  return target_.url.empty() ? only_descendant()
                             : listening_process(loopback_port(target_.url), host_of(target_.url));
}

} // namespace troupe::bench

// What bench/mcp.sh measures of Troupe's library: `bench-mcp-calls ECHO_SERVER SECONDS`.
// Prints the same lines as mcp_calls.mjs does for the reference client.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "apps/engine/engine.hpp"
#include "apps/engine/mcp_host.hpp"

namespace {

using steady = std::chrono::steady_clock;
using std::chrono::duration;

constexpr int connections = 200;

[[noreturn]] void fail(const std::string& what) {
  fmt::print(stderr, "bench-mcp-calls: {}\n", what);
  std::exit(1);
}

/// User and system time of this process without its children, in microseconds.
double cpu_us() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto us = [](const timeval& t) { return t.tv_sec * 1e6 + static_cast<double>(t.tv_usec); };
  return us(usage.ru_utime) + us(usage.ru_stime);
}

double resident_kib() {
  std::ifstream status{"/proc/self/status"};
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:"))
      return std::stod(line.substr(6));
  fail("/proc/self/status has no VmRSS");
}

troupe::call_tool echo(const std::string& server, uint64_t number) {
  troupe::call_tool call;
  call.server = server;
  call.tool = "echo";
  call.arguments = fmt::format(R"({{"text":"hello {}"}})", number);
  return call;
}

void check(const troupe::tool_result& answer, uint64_t number) {
  if (answer.error || answer.text != fmt::format("hello {}", number))
    fail(fmt::format("wrong answer: {} '{}'", answer.error.text(), answer.text));
}

/// Keeps `width` calls in flight for `length`; each answer begins the next call.
class load {
public:
  load(troupe::mcp_host& host, int width, duration<double> length)
      : host_{host}, open_{width},
        chains_(width), end_{steady::now() + std::chrono::duration_cast<steady::duration>(length)} {
  }

  /// Runs it and prints how it went, unless `prefix` is empty.
  void run(const std::string& prefix) {
    const auto cpu = cpu_us();
    const auto begin = steady::now();
    for (auto& each : chains_)
      next(each);
    done_.get_future().wait();
    const duration<double> took = steady::now() - begin;
    if (!prefix.empty())
      print(prefix, took.count(), cpu_us() - cpu);
  }

private:
  /// One call in flight; `took` is written by the one thread that has the answer.
  struct chain {
    std::vector<float> took; // microseconds
    steady::time_point began;
  };

  void next(chain& on) {
    on.began = steady::now();
    const auto number = number_.fetch_add(1, std::memory_order_relaxed);
    host_.call_tool(echo("echo", number), [this, &on, number](troupe::tool_result answer) {
      check(answer, number);
      const auto now = steady::now();
      on.took.push_back(duration<float, std::micro>{now - on.began}.count());
      if (now < end_)
        next(on);
      else if (open_.fetch_sub(1) == 1)
        done_.set_value();
    });
  }

  void print(const std::string& prefix, double seconds, double cpu) {
    std::vector<float> all;
    for (const auto& each : chains_)
      all.insert(all.end(), each.took.begin(), each.took.end());
    std::sort(all.begin(), all.end());
    const auto count = static_cast<double>(all.size());
    const auto quantile = [&](double q) { return all[static_cast<size_t>(count * q)]; };
    fmt::print("{}_calls_per_second {:.0f}\n", prefix, count / seconds);
    fmt::print("{}_cpu_us_per_call {:.2f}\n", prefix, cpu / count);
    fmt::print("{}_p50_us {:.1f}\n{}_p99_us {:.1f}\n", prefix, quantile(0.5), prefix,
               quantile(0.99));
  }

  troupe::mcp_host& host_;
  std::atomic<int> open_;
  std::atomic<uint64_t> number_{0};
  std::vector<chain> chains_;
  steady::time_point end_;
  std::promise<void> done_;
};

troupe::mcp_server_config entry(std::string name, const std::string& command) {
  troupe::mcp_server_config out;
  out.name = std::move(name);
  out.type = "stdio";
  out.command = command;
  out.max_parallel = 128;
  return out;
}

/// Connects many servers at once, calls each, and prints what that took.
void measure_connections(troupe::engine& engine, const std::string& command) {
  const auto before = resident_kib();
  const auto begin = steady::now();
  auto& host = engine.mcp();
  for (int i = 0; i < connections; ++i)
    if (auto error = host.put_server(entry(fmt::format("echo-{}", i), command)))
      fail(error.text());
  if (!engine.wait_for_servers(std::chrono::seconds{60}))
    fail("not every server connected within a minute");
  for (uint64_t i = 0; i < connections; ++i)
    check(host.call_tool(echo(fmt::format("echo-{}", i), i)), i);
  const duration<double, std::milli> took = steady::now() - begin;
  fmt::print("connect_{}_ms {:.0f}\n", connections, took.count());
  fmt::print("kib_per_connection {:.1f}\n", (resident_kib() - before) / connections);
  for (int i = 0; i < connections; ++i)
    host.change_server(fmt::format("echo-{}", i), troupe::server_verb::remove);
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2)
    fail("usage: bench-mcp-calls ECHO_SERVER [SECONDS]");
  const duration<double> length{argc > 2 ? std::stod(argv[2]) : 3.0};
  troupe::engine_config config;
  config.shards = 1;
  config.mcp_servers.push_back(entry("echo", argv[1]));
  troupe::engine engine{config};
  if (!engine.wait_for_servers(std::chrono::seconds{10}))
    fail("the echo server does not connect");
  check(engine.mcp().call_tool(echo("echo", 0)), 0);

  measure_connections(engine, argv[1]); // first: what the loads leave in the heap would hide it
  load{engine.mcp(), 1, duration<double>{1}}.run("");
  load{engine.mcp(), 1, length}.run("one");
  load{engine.mcp(), 100, length}.run("hundred");
  return 0;
}

// Nodes of a cluster that do nothing but live: each keeps its lease, lists the others and judges
// about those it has to, as a server does. Prints what became of them, as JSON.
//
//     cluster_members URL FIRST COUNT SECONDS PAUSE     nodes nFIRST, nFIRST+1, ..., each a thread
//     with its connections, begun so many whole seconds after the one before
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "messages/cluster/cluster_store.hpp"
#include "transport/postgres/postgres_store.hpp"

namespace {

using namespace troupe;
using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

struct counts {
  std::atomic<uint64_t> beats{0}, failed{0}, lost{0}, dead{0}, late{0};
  std::atomic<int> told{0};
};

constexpr auto leave_pause = 200ms;

/// Lines on the error output, of each process.
constexpr int most_told = 9;

std::unique_ptr<store_port> join(const std::string& url, int number) {
  postgres_options options;
  options.alone = false;
  options.cluster =
      cluster_config{fmt::format("n{}", number), "127.0.0.1:1", "http://127.0.0.1:1", "secret"};
  failure why;
  auto out = open_postgres_store(url, why, options);
  if (!out)
    fmt::print(stderr, "n{}: {}\n", number, why.text());
  return out;
}

/// Counts what a beat came to. @param took until the next one could have begun
void note(int number, const member_beat& beat, clock_type::duration took, counts& all) {
  ++all.beats;
  all.failed += beat.error ? 1 : 0;
  all.lost += beat.lost != 0 ? 1 : 0;
  all.dead += beat.dead.size();
  all.late += took > 500ms ? 1 : 0;
  if (beat.error && all.told++ < most_told)
    fmt::print(stderr, "n{}: {}\n", number, beat.error.text());
  for (const auto& each : beat.dead)
    if (all.told++ < most_told)
      fmt::print(stderr, "n{}: {} is dead, silent for {} ms, its lease {} ms\n", number, each.name,
                 each.silent_ms, each.lease_left_ms);
}

/// Lives until then, and leaves a while later: not all at once, since that takes PostgreSQL as long
/// as all their starts. Nodes beat at other moments, as they do on machines of their own.
void live(const std::string& url, int number, clock_type::time_point end, counts& all) {
  const auto port = join(url, number);
  if (!port) {
    ++all.failed;
    return;
  }
  std::minstd_rand random{static_cast<uint32_t>(number + 1) * 104'729U};
  auto& members = port->cluster()->members();
  auto next = clock_type::now() + std::chrono::milliseconds{random() % 500};
  auto next_list = next;
  auto next_claims = next;
  std::vector<claimed_chat> claims;
  for (const auto gone = end + number % 100 * leave_pause; next < gone;) {
    std::this_thread::sleep_until(next = std::max(next + 500ms, clock_type::now() + 1ms));
    const auto begun = clock_type::now();
    const auto beat = members.beat({});
    if (begun >= next_list)
      next_list = begun + 5s * (1 + members.nodes().nodes.size() / 20);
    if (begun >= next_claims) {
      next_claims = begun + 30s;
      all.failed += members.claimed(claims) ? 1 : 0;
    }
    if (begun < end)
      note(number, beat, clock_type::now() - begun, all);
  }
  all.failed += members.leave() ? 1 : 0;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    fmt::print(stderr, "usage: {} URL FIRST COUNT SECONDS PAUSE\n", argv[0]);
    return 2;
  }
  const int first = std::atoi(argv[2]);
  const int count = std::atoi(argv[3]);
  const auto end = clock_type::now() + std::chrono::seconds{std::atoi(argv[4])};
  // Seconds between the starts of two nodes: PostgreSQL makes two processes for each.
  const std::chrono::seconds join_pause{std::atoi(argv[5])};
  counts all;
  std::vector<std::thread> nodes;
  for (int i = first; i < first + count; ++i) {
    nodes.emplace_back([&, i] { live(argv[1], i, end, all); });
    std::this_thread::sleep_for(join_pause);
  }
  for (auto& each : nodes)
    each.join();
  fmt::print(R"({{"beats":{},"failed":{},"lost":{},"dead":{},"late":{}}})"
             "\n",
             all.beats.load(), all.failed.load(), all.lost.load(), all.dead.load(),
             all.late.load());
}

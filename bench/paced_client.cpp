// Measures the delay of each token of many paced answers:
// `bench-paced-client URL STREAMS TURNS LIMIT_SECONDS [MODEL]`.
// A URL that ends in /chat/completions is a model's, any other takes the AI SDK's messages. Each
// stream is a chat of its own that takes one turn after the other; they begin evenly over the time
// of one turn, so that the load is the same at all times. Prints lines "KEY VALUE".
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "messages/wire/sse.hpp"
#include "transport/http_client/http_client.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/timer.hpp"

namespace {

using steady = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;
using namespace std::chrono_literals;
using namespace troupe;

constexpr steady::duration interval = 200ms; // of the script "paced"
constexpr size_t tokens_per_turn = 50;
constexpr steady::duration turn_time = 10s;
constexpr auto stall = 2s;

struct options {
  std::string url;
  size_t streams = 0;
  size_t turns = 0;
  seconds limit{0};
  std::string model;
};

/// What all streams saw; the loop's thread only.
struct figures {
  std::vector<uint32_t> delays; ///< of tokens, microseconds
  std::vector<uint32_t> firsts; ///< from the request to the first token, microseconds
  size_t finished = 0;
  size_t failed = 0;
  size_t stalls = 0; ///< gaps between tokens, or after the last one, of more than `stall`
  std::string trouble;
};

uint32_t microseconds(steady::duration time) {
  return static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

/// One chat. It lives on the loop.
class paced_stream {
public:
  paced_stream(const options& what, size_t number, http_client& client, figures& seen, loop& home,
               std::function<void()> over)
      : what_{what}, number_{number}, client_{client}, seen_{seen}, over_{std::move(over)},
        begin_{home, [this] { take_turn(); }} {
    begin_.start(std::chrono::duration_cast<milliseconds>(turn_time * static_cast<int64_t>(number) /
                                                          static_cast<int64_t>(what.streams)));
  }

  /// Counts the tokens of an answer that did not end.
  void give_up() { count_tokens(steady::now()); }

private:
  void take_turn() {
    came_.clear();
    sse_ = sse_parser{};
    ended_ = false;
    asked_ = steady::now();
    exchange_ = client_.open(request(), ++turn_, [this](http_part&& part) { read(part); });
  }

  http_request request() const {
    http_request out;
    out.method = "POST";
    out.url = what_.url;
    out.fields = {{"content-type", "application/json"}};
    if (what_.url.ends_with("/chat/completions"))
      out.body = fmt::format(R"({{"model":"{}","stream":true,"messages":[{{"role":"user",)"
                             R"("content":"Say something, please."}}]}})",
                             what_.model);
    else
      out.body = fmt::format(R"({{"id":"paced-{}","model":"{}","message":{{"id":"u{}",)"
                             R"("role":"user","parts":[{{"type":"text",)"
                             R"("text":"Say something, please."}}]}}}})",
                             number_, what_.model, turn_ + 1);
    return out;
  }

  void read(const http_part& part) {
    if (part.status != 0 && part.status != 200)
      seen_.trouble = fmt::format("status {}", part.status);
    const auto now = steady::now();
    sse_.feed(part.bytes, [&](const sse_event& each) {
      if (each.data == "[DONE]")
        ended_ = true;
      else if (is_token(each.data))
        came_.push_back(now);
      return true;
    });
    if (!part.last)
      return;
    if (part.error != errc::none)
      seen_.trouble = part.error_text;
    end_turn();
  }

  static bool is_token(std::string_view data) {
    constexpr std::string_view content = R"("delta":{"content":")";
    return data.find(R"("type":"text-delta")") != data.npos || data.find(content) != data.npos;
  }

  void end_turn() {
    const bool whole = ended_ && came_.size() == tokens_per_turn;
    ++(whole ? seen_.finished : seen_.failed);
    if (!whole && seen_.trouble.empty())
      seen_.trouble = fmt::format("an answer of {} tokens", came_.size());
    count_tokens({});
    if (turn_ < what_.turns)
      begin_.start(0ms); // not from within the exchange's own callback
    else
      over_();
  }

  /// A token's delay is relative to the least delayed token of its turn: no token counts as early
  /// because the first one was late.
  void count_tokens(steady::time_point cut) {
    if (came_.empty())
      return;
    seen_.firsts.push_back(microseconds(came_.front() - asked_));
    auto base = came_.front();
    for (size_t i = 0; i < came_.size(); ++i)
      base = std::min(base, in_step(i));
    for (size_t i = 0; i < came_.size(); ++i) {
      seen_.delays.push_back(microseconds(in_step(i) - base));
      seen_.stalls += i > 0 && came_[i] - came_[i - 1] > stall ? 1 : 0;
    }
    seen_.stalls += cut != steady::time_point{} && cut - came_.back() > stall ? 1 : 0;
    came_.clear();
  }

  /// Returns when the turn's first token would have come if this one was in time.
  steady::time_point in_step(size_t token) const {
    return came_[token] - static_cast<int64_t>(token) * interval;
  }

  const options& what_;
  size_t number_;
  http_client& client_;
  figures& seen_;
  std::function<void()> over_;
  timer begin_;
  std::unique_ptr<http_exchange> exchange_;
  sse_parser sse_;
  std::vector<steady::time_point> came_; ///< the tokens of this turn
  steady::time_point asked_;
  uint64_t turn_ = 0;
  bool ended_ = false;
};

[[noreturn]] void fail(const char* what) {
  fmt::print(stderr, "bench-paced-client: {}\n", what);
  std::exit(1);
}

options parse(int argc, char** argv) {
  if (argc < 5)
    fail("usage: bench-paced-client URL STREAMS TURNS LIMIT_SECONDS [MODEL]");
  return {argv[1], std::stoul(argv[2]), std::stoul(argv[3]), seconds{std::stoul(argv[4])},
          argc > 5 ? argv[5] : "paced"};
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& t) { return t.tv_sec + static_cast<double>(t.tv_usec) / 1e6; };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

void print_times(const char* name, std::vector<uint32_t>& us) {
  std::sort(us.begin(), us.end());
  const auto at = [&](double part) {
    const auto index = static_cast<size_t>(static_cast<double>(us.size()) * part);
    return us.empty() ? 0.0 : us[std::min(index, us.size() - 1)] / 1000.0;
  };
  fmt::print("{0}_p50_ms {1:.2f}\n{0}_p99_ms {2:.2f}\n{0}_max_ms {3:.2f}\n", name, at(0.5),
             at(0.99), at(1.0));
}

void print(const options& what, figures& seen, steady::duration took) {
  const auto asked = what.streams * what.turns;
  fmt::print("turns_asked {}\nturns_finished {}\nturns_failed {}\n", asked, seen.finished,
             seen.failed);
  fmt::print("tokens {}\nstalls {}\n", seen.delays.size(), seen.stalls);
  print_times("delay", seen.delays);
  print_times("first_token", seen.firsts);
  fmt::print("seconds {:.1f}\nclient_cpu_seconds {:.2f}\n",
             std::chrono::duration<double>{took}.count(), cpu_seconds());
  if (!seen.trouble.empty())
    fmt::print(stderr, "bench-paced-client: {}\n", seen.trouble);
}

} // namespace

int main(int argc, char** argv) {
  const auto what = parse(argc, argv);
  figures seen;
  shards all{1};
  http_client client{all};
  auto& home = all.at(0);
  std::vector<std::unique_ptr<paced_stream>> streams;
  std::promise<void> done;
  size_t open = what.streams;
  const auto began = steady::now();
  home.call([&] {
    for (size_t i = 0; i < what.streams; ++i)
      streams.push_back(std::make_unique<paced_stream>(what, i, client, seen, home, [&] {
        if (--open == 0)
          done.set_value();
      }));
  });
  done.get_future().wait_for(what.limit);
  const auto took = steady::now() - began;
  home.call([&] {
    for (auto& each : streams)
      each->give_up();
    streams.clear();
  });
  print(what, seen, took);
  return 0;
}

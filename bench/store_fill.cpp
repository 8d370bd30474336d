// Fills a data folder with conversations, through the store's own interface, and measures what
// questions about them cost then.
//
//     store_fill FOLDER CONVERSATIONS MESSAGES [OWNERS]     fills; what is there already stays
//     store_fill FOLDER ask                                 p50 and p99 of list, get, search
//
// With STORE_CHINESE=1 every other conversation is in Chinese: words of two characters in a row.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/session_id.hpp"
#include "transport/sqlite/sqlite_store.hpp"

namespace {

using namespace troupe;

constexpr int words_in_all = 20'000;
constexpr int words_of_message = 30;
constexpr int saves_in_one = 2000;

/// Milliseconds that this thread has computed: other programs on the machine do not count.
double computed_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Memory of this process that is its own.
double resident_mib() {
  long pages = 0;
  long resident = 0;
  long shared = 0;
  if (auto* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld %ld", &pages, &resident, &shared) != 3)
      resident = shared = 0;
    std::fclose(file);
  }
  return static_cast<double>(resident - shared) * 4096 / 1048576;
}

/// Words as languages have them: the n-th is about n times as rare as the first.
class word_source {
public:
  explicit word_source(unsigned seed) : random_{seed} {}

  std::string text(int words) {
    std::string out;
    for (int i = 0; i < words; ++i)
      out += fmt::format("{}word{}", i == 0 ? "" : " ", word());
    return out;
  }

  /// The same in Chinese: no spaces, a comma behind every tenth word.
  std::string chinese(int words) {
    std::string out;
    for (int i = 0; i < words; ++i) {
      const int number = word();
      add_character(number / 150, out);
      add_character(number % 150, out);
      if (i % 10 == 9)
        out += "\xEF\xBC\x8C";
    }
    return out;
  }

  int below(int end) { return std::uniform_int_distribution<>{0, end - 1}(random_); }

private:
  /// A number below words_in_all, from 1.
  int word() {
    const double place = std::uniform_real_distribution<>{0, 1}(random_);
    return static_cast<int>(std::pow(words_in_all, place));
  }

  /// Adds one of 20,000 characters from U+4E00 on, as UTF-8.
  static void add_character(int number, std::string& out) {
    const int code = 0x4E00 + number;
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }

  std::mt19937 random_;
};

void stop_at(const failure& error) {
  if (!error)
    return;
  fmt::print(stderr, "{}: {}\n", to_string(error.code), error.text());
  std::exit(1);
}

std::string chat_of(int number, int owners) {
  const auto owner = owners == 0 ? std::string{} : fmt::format("owner{}", number % owners);
  return scoped_id(owner, fmt::format("chat{}", number));
}

/// Whether the texts of a conversation are in Chinese.
bool in_chinese(int number) {
  static const bool wanted = std::getenv("STORE_CHINESE") != nullptr;
  return wanted && number % 2 == 1;
}

save_chat turn_of(word_source& words, const std::string& chat, int number, int messages) {
  save_chat out;
  out.session_id = chat;
  for (int i = 0; i < messages; ++i) {
    auto& message = out.more.emplace_back();
    message.who = i % 2 == 0 ? role::user : role::assistant;
    message.text =
        in_chinese(number) ? words.chinese(words_of_message) : words.text(words_of_message);
    message.id = fmt::format("message{}-{}", number, i);
  }
  out.turn.turn_id = fmt::format("turn{}", number);
  out.turn.message_id = out.more.back().id;
  out.turn.state = turn_state::ended;
  out.turn.model = "model";
  out.report.turn_id = out.turn.turn_id;
  out.report.model = "model";
  return out;
}

void fill(store_connection& store, int conversations, int messages, int owners) {
  word_source words{1};
  for (int i = 0; i < conversations; ++i) {
    if (i % saves_in_one == 0)
      stop_at(store.begin());
    stop_at(store.save(turn_of(words, chat_of(i, owners), i, messages)).error);
    if ((i + 1) % saves_in_one == 0 || i + 1 == conversations)
      stop_at(store.commit());
  }
  for (bool more = true; more;)
    stop_at(store.tidy(more));
}

void measure(std::string_view what, int times, const std::function<size_t(int)>& ask) {
  std::vector<double> taken;
  std::vector<double> computed;
  size_t found = 0;
  for (int i = 0; i < times; ++i) {
    const auto began = std::chrono::steady_clock::now();
    const auto before = computed_ms();
    found += ask(i);
    computed.push_back(computed_ms() - before);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - began;
    taken.push_back(time.count());
  }
  std::sort(taken.begin(), taken.end());
  std::sort(computed.begin(), computed.end());
  const auto half = taken.size() / 2;
  const auto most = (taken.size() - 1) * 99 / 100;
  fmt::print("{:<24} p50 {:8.3f} ms  p99 {:8.3f} ms  CPU p50 {:8.3f} ms  p99 {:8.3f} ms  {:6.1f} "
             "found\n",
             what, taken[half], taken[most], computed[half], computed[most],
             static_cast<double>(found) / times);
}

/// Asks for the chats that `fill` made of the first owner.
void ask_all(store_connection& store, const std::string& owner, const std::string& chat_prefix) {
  word_source words{2};
  std::string cursor;
  measure("list, page by page", 500, [&](int) {
    auto page = store.list({owner, 50, cursor});
    stop_at(page.error);
    cursor = page.next;
    return page.conversations.size();
  });
  measure("get", 1000, [&](int) {
    const auto chat = fmt::format("{}{}", chat_prefix, words.below(50) * 10);
    return store.get({scoped_id(owner, chat)}).found.messages.size();
  });
  const auto look = [&](std::string_view what, const std::function<std::string()>& query) {
    measure(what, 100, [&](int) {
      auto page = store.search({owner, query(), 20, {}});
      stop_at(page.error);
      return page.hits.size();
    });
  };
  look("search, common word", [&] { return fmt::format("word{}", 1 + words.below(20)); });
  look("search, rare word", [&] { return fmt::format("word{}", 19'000 + words.below(1000)); });
  look("search, no such word", [&] { return fmt::format("nothing{}", words.below(1000)); });
  look("search, two common", [&] { return words.text(2); });
  look("search, two rare", [&] {
    return fmt::format("word{} word{}", 15'000 + words.below(4000), 15'000 + words.below(4000));
  });
  look("search, three words", [&] { return words.text(3); });
  look("search, phrase", [&] { return fmt::format("\"{}\"", words.text(2)); });
  look("search, beginning", [&] { return fmt::format("word{}*", 10 + words.below(1000)); });
  look("search, any beginning", [] { return std::string{"wor*"}; });
  fmt::print("{:.1f} MiB\n", resident_mib());
}

} // namespace

int main(int count, char** values) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::vector<std::string> arguments{values + 1, values + count};
  if (arguments.size() < 2) {
    fmt::print(stderr, "usage: store_fill FOLDER CONVERSATIONS MESSAGES [OWNERS] | FOLDER ask "
                       "[OWNER]\n");
    return 2;
  }
  failure error;
  const auto began = std::chrono::steady_clock::now();
  auto port = open_sqlite_store(arguments[0], error);
  stop_at(error);
  auto store = port->open(durability::normal, error);
  stop_at(error);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - began;
  fmt::print("opened in {:.1f} ms, {:.1f} MiB\n", taken.count(), resident_mib());
  if (arguments[1] == "ask")
    ask_all(*store, arguments.size() > 2 ? arguments[2] : std::string{}, "chat");
  else
    fill(*store, std::stoi(arguments[1]), arguments.size() > 2 ? std::stoi(arguments[2]) : 20,
         arguments.size() > 3 ? std::stoi(arguments[3]) : 0);
  return 0;
}

#include "apps/troupe/chat/chat_turn.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/server_client.hpp"
#include "apps/troupe/terminal/terminal_line.hpp"
#include "apps/troupe/terminal/terminal_question.hpp"
#include "messages/terminal_text.hpp"

namespace troupe {

// -- event queue ----------------------------------------------------------------------------------

/// An event, and when it came: time limits run from then, even while a person answers another one.
struct queued_event {
  std::string json;
  std::chrono::steady_clock::time_point at;
};

/// The events of one turn, in order. They come from a loop's thread; one thread takes them, and may
/// ask a person in between.
class event_queue {
public:
  /// Any thread.
  void add(std::string json) {
    std::lock_guard guard{mutex_};
    events_.push_back({std::move(json), std::chrono::steady_clock::now()});
    changed_.notify_one();
  }

  /// There is no more. Any thread.
  void end(server_answer how) {
    std::lock_guard guard{mutex_};
    end_ = std::move(how);
    changed_.notify_one();
  }

  /// Waits for the next event; nothing after the last one.
  std::optional<queued_event> next() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return !events_.empty() || end_; });
    if (events_.empty())
      return std::nullopt;
    auto out = std::move(events_.front());
    events_.pop_front();
    return out;
  }

  /// Returns how the answer ended, after the last event.
  const server_answer& how_it_ended() const { return *end_; }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<queued_event> events_;
  std::optional<server_answer> end_;
};

// -- chat turn ------------------------------------------------------------------------------------

namespace {

using steady = std::chrono::steady_clock;

/// One turn, from its request to its end.
class running_turn {
public:
  explicit running_turn(chat_state& chat) : chat_{chat}, view_{chat.style} {}

  int run(const std::string& text);

private:
  void take(const queued_event& event);
  void approve(const shown_event& what, steady::time_point at);
  void say_denied(const std::string& tool);
  bool ask_approval(const shown_event& what, steady::time_point at, bool& in_time);
  void answer_question(const queued_event& event);
  int finish(const server_answer& how);

  /// Has a person see what is typed, but nothing that was typed before.
  template <class Ask>
  void at_terminal(Ask ask) {
    view_.pause();
    hidden_typing::forget();
    typing_.show();
    ask();
    typing_.hide();
  }

  chat_state& chat_;
  turn_view view_;
  hidden_typing typing_;
  event_queue events_;
  bool begun_ = false;   ///< the message was taken
  bool is_lost_ = false; ///< stdout takes no more
};

int running_turn::run(const std::string& text) {
  chat_.signals->turn([&client = chat_.client] { client.abort(); }, &typing_);
  typing_.hide();
  const turn_input input{text, chat_.system, chat_.files, chat_.model, chat_.can_ask};
  {
    auto exchange = chat_.client.begin_turn(
        input, [this](const sse_event& said) { events_.add(std::string{said.data}); },
        [this](server_answer how) { events_.end(std::move(how)); });
    while (auto event = events_.next())
      take(*event);
  }
  chat_.signals->end_turn();
  return finish(events_.how_it_ended());
}

void running_turn::take(const queued_event& event) {
  const auto what = read_event(event.json);
  if (!is_lost_)
    view_.show(what, event.json);
  if (std::ferror(stdout) != 0 && !std::exchange(is_lost_, true))
    chat_.client.abort(); // nobody gets the rest, which costs all the same
  begun_ = begun_ || what.type == "SESSION_START";
  if (what.type == "TOOL_APPROVAL_REQUEST")
    approve(what, event.at);
  else if (what.type == "MCP_CLIENT_REQUEST" && chat_.can_ask && !chat_.signals->stopping())
    answer_question(event);
  else if (what.type == "SESSION_END")
    chat_.last = {1, what.input_tokens, what.output_tokens};
}

void running_turn::answer_question(const queued_event& event) {
  at_terminal([&] {
    ask_person(chat_.client.server(), event.json, event.at,
               [this] { return chat_.signals->stopping(); });
  });
}

void running_turn::approve(const shown_event& what, steady::time_point at) {
  if (!chat_.can_ask && chat_.style.events && !chat_.host.is_own())
    return; // the reader of the events may answer
  bool approved = false;
  bool in_time = true;
  if (chat_.can_ask && !chat_.signals->stopping())
    at_terminal([&] { approved = ask_approval(what, at, in_time); });
  else if (!chat_.can_ask)
    say_denied(what.tool);
  if (!in_time)
    view_.expect_no_call(what.call_id);
  if (!in_time || chat_.signals->stopping())
    return; // the server has decided
  if (auto told = chat_.client.approve(what.approval_id, approved); !told.ok())
    fmt::print(stderr, "troupe: {}\n", told.complaint());
  else if (!approved)
    view_.expect_no_call(what.call_id);
}

void running_turn::say_denied(const std::string& tool) {
  view_.pause();
  fmt::print(stderr, "troupe: {} needs an approval, and there is no terminal to ask at: denied\n",
             terminal_text(tool));
}

/// @param in_time set to false when the time for the answer is over
bool running_turn::ask_approval(const shown_event& what, steady::time_point at, bool& in_time) {
  const auto until = at + std::chrono::milliseconds{what.timeout_ms};
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - steady::now());
  fmt::print(stderr, "{} is to run with {}\n", terminal_text(what.tool),
             terminal_text(what.arguments, true));
  const auto over = [&] {
    in_time = steady::now() < until;
    return !in_time || chat_.signals->stopping();
  };
  const auto allowed =
      ask_yes_or_no(fmt::format("Allow it? [y/N] (within {}) ", time_left(left)), over);
  if (!in_time)
    fmt::print(stderr, "Nobody answered in time: it does not run.\n");
  return allowed;
}

int running_turn::finish(const server_answer& how) {
  view_.pause();
  if (begun_) {
    chat_.files.clear();
    chat_.system.reset();
    ++chat_.used.turns;
    chat_.used.input_tokens += chat_.last.input_tokens;
    chat_.used.output_tokens += chat_.last.output_tokens;
  }
  if (is_lost_)
    return exit_failed; // main() says why
  if (how.ok() && view_.is_over())
    return view_.exit_code();
  fmt::print(stderr, "troupe: {}\n",
             how.ok() ? "the server ended the answer before its end" : how.complaint());
  if (!begun_ && !chat_.files.empty())
    fmt::print(stderr, "The files stay attached to the next message; /file - takes them off.\n");
  return exit_failed;
}

} // namespace

int run_turn(chat_state& chat, const std::string& text) {
  chat.last = {};
  return running_turn{chat}.run(text);
}

} // namespace troupe

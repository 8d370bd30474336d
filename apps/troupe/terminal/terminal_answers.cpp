#include "apps/troupe/terminal/terminal_answers.hpp"

#include <utility>

#include "apps/troupe/terminal/terminal_question.hpp"

namespace troupe {

terminal_answers::terminal_answers(server_client& server)
    : server_{server}, worker_{[this] { work(); }} {}

terminal_answers::~terminal_answers() {
  {
    std::lock_guard guard{mutex_};
    ending_ = true;
  }
  changed_.notify_one();
  worker_.join();
}

void terminal_answers::ask(std::string request) {
  {
    std::lock_guard guard{mutex_};
    requests_.push_back({std::move(request), std::chrono::steady_clock::now()});
  }
  changed_.notify_one();
}

void terminal_answers::work() {
  const auto ending = [this] {
    std::lock_guard guard{mutex_};
    return ending_;
  };
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !requests_.empty(); });
    if (ending_)
      return;
    auto request = std::move(requests_.front());
    requests_.pop_front();
    lock.unlock();
    ask_person(server_, request.json, request.at, ending);
    lock.lock();
  }
}

} // namespace troupe

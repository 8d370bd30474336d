// A model that says anything a decoder may give, as dice fall.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "messages/chat/turn_messages.hpp"

namespace troupe::test {

/// What all parts of one random world roll.
class dice {
public:
  explicit dice(uint32_t seed) : random_{seed} {}
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool chance(uint32_t percent) { return below(100) < percent; }

private:
  std::mt19937 random_;
};

/// The model of some turns of one chat.
class random_model {
public:
  explicit random_model(dice& rolled) : dice_{rolled} {}

  /// A new answer begins.
  void ask() {
    answering_ = true;
    open_.clear();
    ids_.clear();
  }

  /// Nobody reads on.
  void stop() { answering_ = false; }

  bool answering() const { return answering_; }

  model_output says() {
    model_output output;
    for (auto n = dice_.below(4); n > 0; --n)
      output.events.push_back(piece());
    if (!dice_.chance(30))
      return output;
    output.over = true;
    output.used.total_tokens = dice_.below(30);
    answering_ = false;
    if (dice_.chance(10))
      output.error = errc::model_stream_cut; // parts stay open
    else
      close_open(output.events);
    output.reason = static_cast<finish_reason>(dice_.below(6));
    return output;
  }

private:
  event piece() {
    if (!open_.empty() && dice_.chance(60)) {
      auto id = open_[dice_.below(static_cast<uint32_t>(open_.size()))];
      if (dice_.chance(50))
        return tool_args_delta{id, "{"};
      return complete(id);
    }
    if (dice_.chance(40)) {
      auto id = new_id();
      open_.push_back(id);
      return tool_args_start{id, name(id)};
    }
    if (dice_.chance(30))
      return reasoning_delta{"hm"};
    return text_delta{dice_.chance(20) ? " " : "word"};
  }

  /// Some models count their calls from the start in every answer.
  std::string new_id() {
    auto again = "c" + std::to_string(ids_.size() % 10);
    auto is_free = std::find(ids_.begin(), ids_.end(), again) == ids_.end();
    auto fresh = "c" + std::to_string(++last_id_);
    ids_.push_back(dice_.chance(20) && is_free ? again : fresh);
    return ids_.back();
  }

  static std::string name(const std::string& id) {
    static const std::string names[] = {"echo", "sum", "nope", "mine", "not a name"};
    return names[id.back() % 5];
  }

  event complete(const std::string& id) {
    static const std::string arguments[] = {"{}", R"({"a":[1]})", "", "[]", "{\"a\":", "null"};
    tool_args_complete made{id, name(id), {arguments[dice_.below(6)]}, false, errc::none, ""};
    std::erase(open_, id);
    return made;
  }

  void close_open(std::vector<event>& out) {
    while (!open_.empty())
      out.push_back(complete(std::string{open_.front()}));
  }

  dice& dice_;
  bool answering_ = false;
  std::vector<std::string> open_; ///< calls whose arguments are open
  std::vector<std::string> ids_;  ///< of this answer
  int last_id_ = 10;
};

} // namespace troupe::test

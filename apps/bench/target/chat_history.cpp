#include "apps/bench/target/chat_history.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/json.hpp"

namespace troupe::bench {

void chat_history::make_up(uint32_t messages) {
  for (uint32_t left = messages; left > 0; --left) {
    const auto number = messages - left + 1;
    if (left % 2 == 0)
      add({role::user,
           fmt::format("Question {}: what follows from what was said so far, and why so?", number),
           ""});
    else
      add({role::assistant,
           fmt::format("Answer {}: not much, as far as anybody can tell. It is here to be read "
                       "again with each request.",
                       number),
           ""});
  }
}

void chat_history::add_user(std::string_view text) {
  json_buffer escaped;
  append_escaped(escaped, text);
  add({role::user, std::string{view(escaped)}, ""});
}

void chat_history::add_answer(std::string text, std::string id) {
  add({role::assistant, std::move(text), std::move(id)});
}

void chat_history::add(past_message said) {
  ++made_;
  if (said.id.empty())
    said.id = fmt::format("m{}", made_);
  text_bytes_ += said.text.size();
  messages_.push_back(std::move(said));
  while (text_bytes_ > max_text_bytes && messages_.size() > 1) {
    text_bytes_ -= messages_.front().text.size();
    messages_.pop_front();
  }
}

} // namespace troupe::bench

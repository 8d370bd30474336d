// What sessions have the store write.
#pragma once

#include <string_view>
#include <utility>

#include "actors/store/conversation_store_writes.hpp"

namespace troupe {

/// What a session wants kept.
class chat_write : public store_write {
public:
  /// @param sender is told; may be null
  chat_write(conversation_store_actor::pointer self, caf::strong_actor_ptr sender, save_chat what)
      : self_{self}, sender_{std::move(sender)}, what_{std::move(what)} {}

  failure run(store_connection& on) override {
    done_ = on.save(what_);
    return of_store(done_.error) ? done_.error : failure{};
  }

  void answer(const failure& why) override {
    done_.session_id = what_.session_id;
    done_.number = what_.number;
    if (why)
      done_.error = why;
    tell(std::move(done_));
  }

  bool changes(std::string_view session_id) const override {
    return what_.session_id == session_id;
  }

protected:
  template <class Answer>
  void tell(Answer with) {
    if (sender_)
      self_->send(caf::actor_cast<chat_keeper_actor>(sender_), std::move(with));
  }

  const save_chat& what() const noexcept { return what_; }
  const save_answer& done() const noexcept { return done_; }

private:
  conversation_store_actor::pointer self_;
  caf::strong_actor_ptr sender_;
  save_chat what_;
  save_answer done_;
};

/// What a session wants kept of a chat that is new; the answer is that to load_chat.
class first_write final : public chat_write {
public:
  /// @param record the answer if it fails
  first_write(conversation_store_actor::pointer self, caf::strong_actor_ptr sender, save_chat what,
              chat_record record)
      : chat_write{self, std::move(sender), std::move(what)}, record_{std::move(record)} {}

  /// The answer to a save that failed is that there is no chat: the session's next save says why.
  void answer(const failure& why) override {
    if (done().version != 0 && !done().error && !why) {
      record_.version = done().version;
      record_.kept_turn = what().turn.turn_id;
    }
    tell(std::move(record_));
  }

private:
  chat_record record_;
};

} // namespace troupe

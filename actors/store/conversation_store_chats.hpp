// The writes that sessions ask for.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include <caf/typed_event_based_actor.hpp>

#include "actors/store/conversation_store_writes.hpp"

namespace troupe {

/// Saves a chat for its session.
class chat_write : public store_write {
public:
  /// @param sender the session, which gets the save_answer; may be null
  chat_write(conversation_store_actor::pointer self, caf::strong_actor_ptr sender, save_chat what)
      : self_{self}, sender_{std::move(sender)}, what_{std::move(what)} {}

  failure run(store_connection& on) override {
    done_ = on.save(what_);
    return of_store(done_.error) ? done_.error : failure{};
  }

  const save_chat* save() const override { return &what_; }
  void take(save_answer done) override { done_ = std::move(done); }

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

  const caf::strong_actor_ptr& sender() const noexcept { return sender_; }
  const save_chat& what() const noexcept { return what_; }
  const save_answer& done() const noexcept { return done_; }

private:
  conversation_store_actor::pointer self_;
  caf::strong_actor_ptr sender_;
  save_chat what_;
  save_answer done_;
};

/// A chat that seemed to be new, and whose first save was refused or failed.
struct chat_not_begun {
  caf::strong_actor_ptr keeper;
  chat_record record; ///< without anything but its names
  turn_record turn;   ///< that the save brought
};

/// The first save of a chat that is new, or seems to be. It answers load_chat, with a chat_record.
class first_write final : public chat_write {
public:
  /// @param record the answer, to which a successful save adds its version
  /// @param otherwise is called in place of an answer if the save was not done; empty: the record
  /// says then that the chat does not exist, and the session learns the reason from its next save
  first_write(conversation_store_actor::pointer self, caf::strong_actor_ptr sender, save_chat what,
              chat_record record, std::function<void(chat_not_begun)> otherwise = {})
      : chat_write{self, std::move(sender), std::move(what)}, record_{std::move(record)},
        otherwise_{std::move(otherwise)} {}

  void answer(const failure& why) override {
    if (done().version != 0 && !done().error && !why) {
      record_.version = done().version;
      record_.claim = done().claim;
      record_.fence = done().fence;
      record_.kept_turn = what().turn.turn_id;
    } else if (otherwise_) {
      return otherwise_({sender(), std::move(record_), what().turn});
    }
    tell(std::move(record_));
  }

private:
  chat_record record_;
  std::function<void(chat_not_begun)> otherwise_;
};

} // namespace troupe

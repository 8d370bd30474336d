// Writes that wait for a commit, each with the receiver of its answer.
#pragma once

#include <string_view>
#include <utility>

#include <caf/typed_response_promise.hpp>

#include "messages/interfaces/store_interfaces.hpp"
#include "messages/store/store_port.hpp"

namespace troupe {

/// One write. It can be done again after it was rolled back.
class store_write {
public:
  virtual ~store_write() = default;

  /// Runs the write. Returns only errors of the store, see of_store(); others go into the answer.
  virtual failure run(store_connection& on) = 0;

  /// Sends the answer of the last run(), or `why` if the whole batch failed. Called once.
  virtual void answer(const failure& why) = 0;

  /// Returns the save that it is, or nullptr; it may be done with others in place of run().
  virtual const save_chat* save() const { return nullptr; }
  /// Takes the answer to that save, as run() would.
  virtual void take(save_answer) {}

  /// Returns whether it changes the chat.
  virtual bool changes(std::string_view) const { return false; }
};

/// A write whose sender waits for a response.
template <class Ask, class Answer, Answer (store_connection::*Call)(const Ask&)>
class asked_write final : public store_write {
public:
  asked_write(caf::typed_response_promise<Answer> promise, Ask what)
      : promise_{std::move(promise)}, what_{std::move(what)} {}

  failure run(store_connection& on) override {
    answer_ = (on.*Call)(what_);
    return of_store(error()) ? error() : failure{};
  }

  void answer(const failure& why) override {
    if (why)
      error() = why;
    promise_.deliver(std::move(answer_));
  }

  bool changes(std::string_view session_id) const override {
    if constexpr (std::is_same_v<Ask, change_conversation>)
      return what_.session_id == session_id || what_.to == session_id;
    return false;
  }

private:
  failure& error() {
    if constexpr (std::is_same_v<Answer, failure>)
      return answer_;
    else
      return answer_.error;
  }

  caf::typed_response_promise<Answer> promise_;
  Ask what_;
  Answer answer_;
};

/// Renames, removes, branches or imports a conversation, or replaces its overrides.
using change_write = asked_write<change_conversation, info_answer, &store_connection::change>;
/// Stores a setting.
using setting_write = asked_write<setting, failure, &store_connection::put>;
/// Stores an API key.
using key_write = asked_write<api_key, failure, &store_connection::put>;

} // namespace troupe

// Chats whose conversations are kept by a fake store, and which can be started again.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/actors/session/fake_chat_store.hpp"
#include "tests/actors/session/watched_chat.hpp"

namespace troupe::test {

/// Everything but the store is new after reopen().
struct stored_chat : watched_chat {
  stored_chat() {
    settings.keeps = settings.waits_saved = true;
    store = start_fake_store(*this, kept);
  }

  ~stored_chat() {
    session = nullptr;
    sys.registry().erase(conversation_store_name);
    crash(*this, store);
  }

  /// Crashes the session hub, and with it all sessions.
  void reopen() {
    crash(*this, hub);
    sys.registry().erase(session_hub_name); // put() does not replace
    open();
  }

  void restart_store() {
    crash(*this, store);
    store = start_fake_store(*this, kept);
  }

  /// Spawns a client that is known by its handle, so that its messages can be timed.
  subscriber_actor client(const got& into) {
    return sys.spawn([this, into](subscriber_actor::pointer me) -> subscriber_actor::behavior_type {
      return {[this, me, into](const event_batch& batch) {
                session = caf::actor_cast<session_actor>(me->current_sender());
                recording_sink{into}.deliver(batch);
                if (!batch.events.empty() && is_terminal(batch.events.back()))
                  me->quit();
              },
              [into](const turn_refused& why) {
                into->refused = {why.error, why.error_text};
              },
              [](const client_signal&) {}};
    });
  }

  /// Puts a start into the hub's mailbox, and runs nothing.
  got post(turn_request what) {
    auto into = std::make_shared<received>();
    caf::send_as(client(into), hub, start_turn{std::move(what), 1000});
    return into;
  }
  got post(const std::string& text, const std::string& id = "s") { return post(request(text, id)); }

  static turn_request patient(const std::string& text) {
    auto made = request(text);
    made.options.when_busy = busy_policy::wait;
    return made;
  }

  /// One whole turn.
  got turn(const std::string& text, const std::string& id = "s") {
    auto into = send(text, id);
    answer({text_chunk("re " + text)});
    return into;
  }

  using answers = std::shared_ptr<std::vector<errc>>;

  /// Asks for the end of a session; nothing is run. The answer is written once it is there.
  answers end(const std::string& id, bool aborts) {
    auto into = std::make_shared<std::vector<errc>>();
    sys.spawn([=, hub = hub](caf::event_based_actor* me) {
      me->request(hub, caf::infinite, end_session{id, aborts})
          .then([=](const failure& why) { into->push_back(why.code); },
                [=](const caf::error&) { into->push_back(errc::internal); });
    });
    return into;
  }
  std::vector<errc> end_now(const std::string& id, bool aborts) {
    auto into = end(id, aborts);
    run();
    return *into;
  }

  bool asked(const std::string& text) { return contains(http.calls.back()->request.body, text); }

  shared_store kept = std::make_shared<chat_store_notes>();
  conversation_store_actor store;
  session_actor session; ///< the last one that sent events to a client of post()
};

} // namespace troupe::test

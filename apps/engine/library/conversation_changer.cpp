#include "apps/engine/library/conversation_changer.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <caf/all.hpp>

#include "actors/monitors.hpp"
#include "actors/quiet.hpp"
#include "actors/registry.hpp"
#include "messages/store/stored_file.hpp"

namespace troupe {

namespace {

/// Returns the ids of uploaded files.
std::vector<std::string> files_named_in(const conversation& content) {
  std::vector<std::string> out;
  for (const auto& each : content.messages) {
    const auto ids = file_ids_in(each.message);
    out.insert(out.end(), ids.begin(), ids.end());
  }
  return out;
}

/// One change on its way:
///
///     remove:    [look at the version] -> end the session -> store -> end the session -> answer
///     override:  store -> end the session -> answer
///     import, branch: the same, of the new conversation
///     rename:    store -> answer
///
/// A removal ends the session twice: a turn may have made a new one before the store was done.
struct conversation_changer_state {
  static inline const char* name = "troupe.conversation_changer";

  explicit conversation_changer_state(conversation_changer_actor::pointer ptr) : self{ptr} {}

  conversation_changer_actor::behavior_type make_behavior() {
    quiet(self);
    self->set_down_handler([this](caf::down_msg&) { refuse(store_missing(settings)); });
    self->set_exception_handler([this](caf::scheduled_actor* who, std::exception_ptr& thrown) {
      if (promise.pending()) // nobody watches a changer
        refuse({errc::internal, ""});
      return fail_request(who, thrown);
    });
    return {[this](change_conversation& what) { return on_change(what); }};
  }

  caf::result<info_answer> on_change(change_conversation& what) {
    promise = self->make_response_promise<info_answer>();
    change = std::move(what);
    if (!whereis<conversation_store_actor>(self->system(), conversation_store_name))
      refuse(store_missing(settings)); // a removal that must fail ends no session
    else if (change.verb != conversation_verb::remove)
      write();
    else if (change.if_version != 0)
      look();
    else
      end_then(change.session_id, &conversation_changer_state::write);
    return promise;
  }

  /// Only the version is wanted: no message is read.
  void look() {
    ask<conversation_reader_actor, conversation_answer>(
        conversation_reader_name, store_answer_limit, get_conversation{change.session_id, 0},
        [this](const conversation_answer& answer) {
          const auto version = answer.found.info.version;
          if (version == 0)
            return refuse(answer.error);
          if (version != change.if_version)
            return refuse({errc::conversation_changed, ""});
          change.if_version = 0;
          end_then(change.session_id, &conversation_changer_state::write);
        });
  }

  /// Hands the content on: a copy of a long one would take long.
  void write() {
    auto content = std::exchange(change.content, {});
    named = files_named_in(content);
    auto asked = change;
    asked.content = std::move(content);
    const auto limit = is_long() ? long_change_limit : store_answer_limit;
    ask<conversation_store_actor, info_answer>(conversation_store_name, limit, std::move(asked),
                                               [this](info_answer& answer) {
                                                 answered = std::move(answer);
                                                 durable = !answered.error;
                                                 written();
                                               });
  }

  bool is_long() const {
    return change.verb == conversation_verb::import || change.verb == conversation_verb::branch;
  }

  void written() {
    if (answered.error || change.verb == conversation_verb::rename)
      return finish();
    if (change.verb == conversation_verb::remove)
      drop_attachments();
    tell_files();
    end_then(change.verb == conversation_verb::branch ? change.to : change.session_id,
             &conversation_changer_state::finish);
  }

  /// Drops the attachments: a new chat with this id must not get them. Does not wait for the
  /// answer, which may wait for an attachment that is loading.
  void drop_attachments() {
    if (auto store = whereis<resource_store_actor>(self->system(), resource_store_name))
      caf::anon_send(store, list_attachments{change.session_id, true});
  }

  /// Uploaded files that only this chat has used go with it; a branch and an import use them, too.
  void tell_files() {
    const bool copies = change.verb == conversation_verb::branch;
    if (!copies && change.verb != conversation_verb::remove && named.empty())
      return;
    if (auto files = whereis<file_store_actor>(self->system(), file_store_name))
      caf::anon_send(files,
                     chat_files_news{change.session_id, copies ? change.to : "", std::move(named)});
  }

  /// Ends the session, if there is one. Only a removal fails if the session cannot end.
  void end_then(const std::string& id, void (conversation_changer_state::*next)()) {
    auto hub = whereis<session_hub_actor>(self->system(), session_hub_name);
    if (!hub)
      return (this->*next)();
    auto removes = change.verb == conversation_verb::remove;
    watched.add(hub);
    self->request(hub, store_answer_limit, end_session{id, removes})
        .then(
            [this, next, removes](const failure& why) {
              if (why && removes)
                return refuse(why);
              (this->*next)();
            },
            [this](const caf::error& why) { refuse(store_lost(why)); });
  }

  template <class Handle, class Answer, class Ask>
  void ask(caf::atom_value whom, std::chrono::seconds limit, Ask what,
           std::function<void(Answer&)> then) {
    auto to = whereis<Handle>(self->system(), whom);
    if (!to)
      return refuse(store_missing(settings));
    watched.add(to);
    self->request(to, limit, std::move(what))
        .then([then = std::move(then)](Answer& answer) { then(answer); },
              [this](const caf::error& why) { refuse(store_lost(why)); });
  }

  /// Answers with the error, unless the store has done the change already.
  void refuse(const failure& why) {
    if (!durable)
      answered.error = why;
    finish();
  }

  void finish() {
    promise.deliver(std::move(answered));
    self->quit();
  }

  conversation_changer_actor::pointer self;
  store_settings settings;
  change_conversation change;
  std::vector<std::string> named; ///< uploaded files, by an import
  info_answer answered;
  bool durable = false; ///< the store has done it
  caf::typed_response_promise<info_answer> promise;
  monitors watched{self};
};

conversation_changer_actor::behavior_type
changer(conversation_changer_actor::stateful_pointer<conversation_changer_state> self,
        const store_settings& settings) {
  self->state.settings = settings;
  return self->state.make_behavior();
}

} // namespace

conversation_changer_actor spawn_conversation_changer(caf::actor_system& system,
                                                      const store_settings& settings) {
  return system.spawn(changer, settings);
}

failure store_missing(const store_settings& settings) {
  if (settings.folder.empty())
    return {errc::capability_missing,
            "Conversations are kept in memory only; start the server with a data folder (--data)."};
  return {errc::store_failed, "The store of conversations is being restarted; try again shortly."};
}

failure store_lost(const caf::error& why) {
  if (why == caf::sec::request_timeout)
    return {errc::store_timeout, "The store of conversations did not answer in time."};
  return {errc::store_failed, ""};
}

} // namespace troupe

#include "apps/engine/library/conversation_importer.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <deque>
#include <utility>

#include <caf/all.hpp>

#include "actors/quiet.hpp"
#include "apps/engine/library/conversation_changer.hpp"
#include "messages/chat/session_id.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"

namespace troupe {

namespace {

/// How much the thread yields to others, of 19: turns go before imports.
constexpr int niceness = 10;

/// A file and who waits for its conversation.
struct waiting_import {
  import_file file;
  caf::typed_response_promise<info_answer> promise;
};

failure read_import(import_file& file, change_conversation& out) {
  out.verb = conversation_verb::import;
  auto& info = out.content.info;
  if (auto bad = import_conversation(std::move(file.body), out.content))
    return bad;
  if (!file.id.empty())
    info.id = file.id;
  if (auto bad = check_conversation_id(info.id))
    return bad;
  out.session_id = scoped_id(file.owner, info.id);
  return {};
}

struct conversation_importer_state {
  static inline const char* name = "troupe.conversation_importer";

  explicit conversation_importer_state(conversation_importer_actor::pointer ptr) : self{ptr} {}

  caf::result<info_answer> on_file(import_file& file) {
    auto promise = self->make_response_promise<info_answer>();
    if (waiting.size() == most_waiting_imports) {
      answer(promise, {errc::rate_limited, ""});
      return promise;
    }
    waiting.push_back({std::move(file), promise});
    if (!busy)
      next();
    return promise;
  }

  /// Begins with the next file; one that cannot be read is over at once.
  void next() {
    busy = false;
    while (!busy && !waiting.empty()) {
      auto each = std::move(waiting.front());
      waiting.pop_front();
      change_conversation change;
      if (auto bad = read_import(each.file, change))
        answer(each.promise, std::move(bad));
      else
        keep(std::move(change), std::move(each.promise));
    }
  }

  void keep(change_conversation change, caf::typed_response_promise<info_answer> promise) {
    busy = true;
    // It has deadlines of its own.
    self->request(spawn_conversation_changer(self->system(), settings), caf::infinite,
                  std::move(change))
        .then(
            [this, promise](info_answer& done) mutable {
              promise.deliver(std::move(done));
              next();
            },
            [this, promise](const caf::error& why) {
              answer(promise, store_lost(why));
              next();
            });
  }

  static void answer(caf::typed_response_promise<info_answer> promise, failure why) {
    info_answer out;
    out.error = std::move(why);
    promise.deliver(std::move(out));
  }

  conversation_importer_actor::pointer self;
  store_settings settings;
  std::deque<waiting_import> waiting;
  bool busy = false; ///< a conversation is on its way into the store
};

conversation_importer_actor::behavior_type conversation_importer(
    conversation_importer_actor::stateful_pointer<conversation_importer_state> self,
    const store_settings& settings, bool detached) {
  auto& state = self->state;
  quiet(self);
  state.settings = settings;
  // On Linux this is of the thread alone. Where it fails, imports are only less polite.
  if (detached)
    static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness));
  return {[&state](import_file& file) { return state.on_file(file); }};
}

} // namespace

conversation_importer_actor spawn_conversation_importer(caf::local_actor& parent,
                                                        const store_settings& settings,
                                                        bool detached) {
  if (detached)
    return parent.spawn<caf::linked + caf::detached>(conversation_importer, settings, true);
  return parent.spawn<caf::linked>(conversation_importer, settings, false);
}

} // namespace troupe

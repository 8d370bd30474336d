// What a conversation_store knows; its parts are in conversation_store.cpp (what is asked of it)
// and conversation_store_upkeep.cpp (failures and upkeep).
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include <caf/all.hpp>

#include "actors/store/commit_delay.hpp"
#include "actors/store/conversation_store.hpp"
#include "actors/store/conversation_store_batch.hpp"
#include "messages/ports/log_line.hpp"

namespace troupe {

struct conversation_store_state {
  using clock = caf::actor_clock::clock_type;

  static inline const char* name = "troupe.conversation_store";

  /// How long after a write the upkeep begins.
  static constexpr std::chrono::milliseconds tidy_delay{1000};

  explicit conversation_store_state(conversation_store_actor::pointer ptr) : self{ptr} {}

  conversation_store_actor::behavior_type make_behavior();

  // -- what is asked of it

  void on_load(load_chat& ask);
  void on_save(save_chat& ask);
  setting_list on_list(const list_settings& ask);
  store_status on_status() const;
  void on_commit();
  void on_tick();

  /// Writes in the transaction, and answers `promise` when it is committed.
  template <class Write, class Answer, class Ask>
  caf::result<Answer> on_write(Ask& ask) {
    auto promise = self->make_response_promise<Answer>();
    write(std::make_unique<Write>(promise, std::move(ask)));
    return promise;
  }

  // -- commits

  void write(std::unique_ptr<store_write> what);
  void wait_for_more();
  void begin_batch();
  void commit();
  /// @param before status.failures before the writes @param bad why none of them worked
  void settle(uint64_t before, const failure& bad);

  // -- failures and upkeep

  void start();
  failure mend();
  failure close_turns();
  bool works_after(const failure& bad);
  void fail(const failure& why);
  void recover();
  void tidy();
  uint64_t writes() const;
  void wake_after(std::chrono::milliseconds delay);
  void log_state(log_level level, std::string_view state);
  void log_failures(uint64_t count);
  clock::time_point now() const { return self->system().clock().now(); }

  conversation_store_actor::pointer self;
  conversation_store_config config;
  store_status status;
  std::unique_ptr<store_connection> connection; ///< nullptr: it could not be opened
  std::optional<store_batch> batch;             ///< is there when the connection is
  clock::time_point begun;                      ///< the transaction, which a wait came before
  size_t commits_sent = 0;                      ///< atom::commit to self that are on their way
  commit_delay patience;
  bool waking = false;                     ///< an atom::tick is
  uint64_t tidied_writes = 0;              ///< writes() at the last piece of upkeep
  std::optional<clock::time_point> logged; ///< the last line of these
  uint64_t unlogged = 0;                   ///< failures of single writes
};

} // namespace troupe

// A conversation_store's state. Its functions are in conversation_store.cpp (requests, commits),
// conversation_store_pieces.cpp (long changes), conversation_store_upkeep.cpp (failures, upkeep).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <caf/actor_clock.hpp>
#include <caf/local_actor.hpp>
#include <caf/result.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "actors/store/conversation_store.hpp"
#include "actors/store/conversation_store_batch.hpp"
#include "actors/store/conversation_store_chats.hpp"
#include "messages/interfaces/interfaces.hpp"
#include "messages/ports/log_line.hpp"
#include "messages/store/store_port.hpp"

namespace troupe {

/// Reads chats, long ones in pieces that take turns. Only the store asks it.
using conversation_loader_actor = caf::typed_actor<
    // The chat as it was committed when the question came, or later; version 0 if there is none.
    caf::replies_to<load_chat>::with<chat_record>,
    // INTERNAL: time for the next piece.
    caf::reacts_to<atom::piece>>;

/// Spawns it, linked to its parent. @param port outlives it @param detached a thread of its own;
/// false: its reads hold up the scheduler (tests)
conversation_loader_actor spawn_conversation_loader(caf::local_actor& parent, store_port& port,
                                                    bool detached);

/// Decides by the rate of writes and the number of running turns (docs/decisions/0015). A single
/// write waits for nothing while few turns run: no other would share its commit. Not thread safe.
class commit_delay {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// The delay while ten writes come in a millisecond and the last commit had more than one.
  static constexpr std::chrono::microseconds when_crowded{200};

  /// With this many running turns a write is a small part of the time that a turn takes.
  static constexpr uint64_t many_turns = 1000;
  static constexpr std::chrono::microseconds for_each_turn{2};
  static constexpr std::chrono::microseconds longest{10'000};

  /// Returns how long to wait; zero: not at all. Called when the first write of a commit has come.
  /// @param writes total taken up so far, including this one
  /// @param running_turns of all chats, now
  std::chrono::microseconds after_first(time_point now, uint64_t writes, uint64_t running_turns);

  /// Notes how many writes a commit had.
  void committed(size_t writes) { last_size_ = writes; }

  /// Notes that more writes wait than one commit takes, or that writes fail. There is no delay
  /// until caught_up().
  void fell_behind() { behind_ = true; }

  /// Notes that all waiting writes have been taken up.
  void caught_up() { behind_ = false; }

private:
  time_point counted_{}; ///< when the rate of writes was measured last
  uint64_t counted_writes_ = 0;
  bool crowded_ = false; ///< at that time ten writes came in a millisecond
  bool behind_ = false;
  size_t last_size_ = 0;
};

/// A change that is made in pieces, and who waits for it.
struct long_change {
  std::unique_ptr<staged_change> work;
  caf::typed_response_promise<info_answer> promise;
};

/// The conversation store's state and handlers. Only the actor touches it.
struct conversation_store_state {
  using clock = caf::actor_clock::clock_type;

  static inline const char* name = "troupe.conversation_store";
  /// How long after a write the upkeep begins.
  static constexpr std::chrono::milliseconds tidy_delay{1000};

  explicit conversation_store_state(conversation_store_actor::pointer ptr) : self{ptr} {}

  conversation_store_actor::behavior_type make_behavior();

  // -- requests

  void on_load(load_chat& ask);
  void begin_chat(load_chat& ask);
  void load_not_begun();
  void load_beside(load_chat ask, const caf::strong_actor_ptr& keeper, const turn_record& sent);
  void tell(const caf::strong_actor_ptr& keeper, chat_record record) const;
  void on_save(save_chat& ask);
  caf::result<info_answer> on_change(change_conversation& ask);
  setting_list on_list(const list_settings& ask);
  store_status on_status() const;
  void on_commit();
  void on_tick();

  /// Adds a write to the transaction. Its answer comes after the commit.
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
  /// Reacts to the failures of a batch.
  /// @param failures_before status.failures before the writes
  /// @param batch_error why no write worked; no failure if at least one did
  void settle(uint64_t failures_before, const failure& batch_error);

  // -- long changes

  void on_piece();
  void do_piece();
  void piece_after(std::chrono::milliseconds delay);
  /// Ends all long changes with an error.
  void give_up(const failure& why);

  // -- failures and upkeep

  void start();
  void on_look();
  failure repair();
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
  std::vector<chat_not_begun> not_begun;        ///< until the present batch is settled
  std::unique_ptr<store_connection> connection; ///< nullptr: it could not be opened
  std::optional<store_batch> batch;             ///< exists while the connection does
  conversation_loader_actor loader;             ///< nullptr until it is needed
  clock::time_point begun;                      ///< start of the transaction, after wait_for_more()
  size_t commits_sent = 0; ///< atom::commit messages to self that have not arrived yet
  commit_delay patience;
  std::deque<long_change> long_changes;    ///< take turns; destroyed before the connection
  uint64_t pieced_writes = 0;              ///< writes() at the last look for a piece
  bool paused = false;                     ///< the next piece was put off for other writes
  bool waking = false;                     ///< an atom::tick is on its way
  uint64_t tidied_writes = 0;              ///< writes() at the last piece of upkeep
  std::optional<clock::time_point> logged; ///< when log_failures() last wrote a line
  uint64_t unlogged = 0;                   ///< failures of single writes since then
};

} // namespace troupe

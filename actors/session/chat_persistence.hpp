// The kept state of a chat: when it is loaded and saved, and who waits for that. No actor, no I/O.
//   unloaded --take_load--> loading --on_record--> loaded --it was changed from outside--> outdated
//    ^   ^                     |                                                              |
//    |   '--- on_load_failed --'                                                              |
//    '------------------------------ forget, when the turn is over ---------------------------'
// Within `loaded` the save_planner decides when a save is sent. A turn that is kept passes its save
// points (before a model request, calls, the news of its end) only while it has no unsaved rest.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actors/model/chat_settings.hpp"
#include "actors/session/loading_turn.hpp"
#include "actors/session/save_planner.hpp"
#include "messages/chat/events.hpp"
#include "messages/chat/turn_messages.hpp"

namespace troupe {

/// Plain data with the few rules about it. Not thread safe; a part of chat_persistence.
struct ending_turn {
  turn_report report = {};
  std::vector<event> held = {}; ///< tell of the end; until it is saved

  /// Moves the events that tell of the end out of `events`. @param all the others, too
  void hold(std::vector<event>& events, bool all);

  /// The end cannot be saved: what is held says so in its place. Returns false if nothing is held,
  /// because it had failed before.
  bool fail(const failure& why);
};

/// The persistence of one chat. Not thread safe; lives in its session.
class chat_persistence {
public:
  enum class phase : uint8_t { unloaded, loading, loaded, outdated };
  /// The result of a save.
  enum class save_result : uint8_t { not_ours, saved, failed, chat_changed, turn_refused, stale };
  /// @param settings outlive it
  void configure(const chat_settings& settings) noexcept { settings_ = &settings; }

  // -- the chat is loaded
  /// A turn is to begin. Returns whether its chat has to be loaded first: then wait() follows.
  bool prepare(const turn_request& request);
  void wait(start_turn ask) { waiting_ = std::make_unique<loading_turn>(std::move(ask)); }
  loading_turn* waiting() noexcept { return waiting_.get(); }
  std::unique_ptr<loading_turn> take_waiting() { return std::exchange(waiting_, nullptr); }
  /// Returns whether viewers have to wait until the chat is loaded.
  bool delays_viewers() const noexcept { return settings_->keeps && !is_loaded(); }
  /// Returns the question to the store, unless it was asked already. It brings the beginning of the
  /// waiting turn, so that a new chat waits for the store once and not twice.
  std::optional<load_chat> take_load(const std::string& session_id);
  /// Takes the answer; only for one that is_answer(). `history` becomes the chat's, and a turn that
  /// was cut off is closed. Returns whether there was one.
  bool on_record(chat_record& record, std::vector<chat_message>& history);
  bool is_answer(const chat_record& record) const noexcept {
    return state_ == phase::loading && record.number == load_number_;
  }
  void on_load_failed() noexcept;

  // -- a turn runs
  /// @param messages of the history, the turn's included
  /// @param loaded the turn, if it has waited for its chat; else nullptr
  void begin(const turn_request& request, size_t messages, const loading_turn* loaded);
  void changed(size_t from) { planner_.changed(from); } ///< messages, from this number on
  void end(turn_report report, const failure& error);   ///< once
  bool has_ended() const noexcept { return end_ != nullptr; }
  turn_report take_report() { return std::exchange(end_, nullptr)->report; } ///< forgets the turn
  bool holds_begin(size_t messages); ///< whether its first events wait; then all others do
  /// Moves the events that tell of the turn's end out of `events`, until the end is saved.
  void hold_end(std::vector<event>& events) { end_->hold(events, !begun_); }
  std::vector<event> take_held();
  bool holds(size_t messages) const; ///< whether the turn has to wait until all is saved
  bool keeps_turn() const noexcept { return keeps_turn_; }
  bool may_be_refused() const noexcept { return !begun_ && settings_->refuses(); } ///< by the store

  // -- saves
  bool is_unsaved(size_t messages) const { return planner_.unsaved(messages); }
  /// Returns the next save, if one is due; at most one is under way.
  std::optional<save_chat> take_save(const std::string& session_id,
                                     const std::vector<chat_message>& history);
  /// Returns after which event of the running turn the save takes its events; nothing: none.
  std::optional<uint64_t> wants_events_after(const save_chat& chat) const;
  void sends_events(uint64_t last_seq) noexcept { planner_.sends_events(last_seq); }
  save_result on_saved(const save_answer& answer, size_t messages);
  bool lose(uint64_t incarnation, size_t messages); ///< its claims; whether the turn's was one
  /// The store does not answer any more. Returns whether a save was under way; it counts as failed.
  bool on_store_lost();
  void retry() noexcept { planner_.retry(); }
  /// The turn cannot be kept. Returns whether it was over: then its held end says so in its place.
  bool fail_end(const failure& why);
  void forget(); ///< the chat, which is loaded again; the caller clears the history

  // -- the session's end, and what the hub knows
  bool may_expire() const noexcept {
    return !is_loaded() || !(planner_.failing() || planner_.saving());
  }
  void tell_unsaved() noexcept { told_unsaved_ = true; }
  /// A turn is over, or refused. Returns whether the hub is to count the chat as unsaved.
  bool tell_over(size_t messages);
  /// Returns, once, that everything is saved that the hub counts as unsaved.
  bool take_all_saved(size_t messages);

  phase state() const noexcept { return state_; }
  bool is_loaded() const noexcept { return state_ >= phase::loaded; }
  uint64_t version() const noexcept { return version_; } ///< of the conversation
  const chat_overrides& overrides() const noexcept { return overrides_; }
  const turn_record& row() const noexcept { return row_; } ///< of the running turn, or the last one

private:
  save_chat first_save(const std::string& session_id);
  void close_cut_turn(std::vector<chat_message>& history);
  void give_up(size_t messages);

  const chat_settings* settings_ = nullptr;
  phase state_ = phase::unloaded;
  bool begun_ = false;        ///< the first events of the running turn may be shown
  bool keeps_turn_ = false;   ///< the running turn is kept, or the unsaved rest of the last one
  bool told_unsaved_ = false; ///< the hub counts the chat as unsaved
  uint64_t load_number_ = 0, version_ = 0; ///< of the last question, of the conversation
  chat_fence fence_;                       ///< as the store told it last
  std::unique_ptr<loading_turn> waiting_;
  std::unique_ptr<ending_turn> end_; ///< of the turn that is over
  save_planner planner_;
  chat_overrides overrides_;
  turn_record row_;
};

} // namespace troupe

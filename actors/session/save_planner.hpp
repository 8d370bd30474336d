// Plans the saves of a chat: which part the store of conversations has, and which it has still to
// get.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "messages/store/store_messages.hpp"

namespace troupe {

//   all saved --news--> due --next--> under way --saved--> all saved, or due
//                        ^                '-------failed--> failing --retry, begin--> due
//                        '----- next, if the caller insists and there is news -----'

/// Decides what the next save of a chat carries. At most one save is under way. A failed save may
/// have reached the disk. Saves are idempotent, so its content is sent again with the next one. Not
/// thread safe; a part of chat_persistence, which tells it about the history.
class save_planner {
public:
  /// The store has the first so many messages of the history. Unsaved rows of turns stay unsaved.
  void reset(size_t messages);

  /// The store has no such chat: saves create it until one is done, see save_chat::creates.
  void create() noexcept { creates_ = true; }

  /// Messages of the history have changed from this number on.
  void changed(size_t from);

  /// A turn begins. @param if_version of the first save; 0: none
  /// @param may_be_refused see save_chat::begins
  void begin(turn_record turn, uint64_t if_version, bool may_be_refused = false);

  /// The turn is over. Its row replaces the unsaved one, unless that one is under way.
  void end(turn_record turn, turn_report report);

  /// Forgets the row of a turn that the store has refused.
  void forget(const std::string& turn_id);

  /// Returns whether anything is unsaved. @param messages size of the history
  bool unsaved(size_t messages) const;

  bool saving() const noexcept { return under_way_ != 0; }
  bool failing() const noexcept { return failing_; }

  /// Returns whether a save is to be sent now.
  /// @param insists send also after a failure, as soon as there is news
  bool due(size_t messages, bool insists) const;

  /// Returns the next save, which is under way from now on.
  save_chat next(const std::string& session_id, const std::vector<chat_message>& history);

  /// The events of the running turn up to that number go with the save that is under way.
  void sends_events(uint64_t last_seq) noexcept { in_flight_seq_ = last_seq; }

  /// Returns the number of the last event of the running turn that the store has.
  uint64_t saved_seq() const noexcept { return saved_seq_; }

  /// Returns whether the answer of that number is to the save that is under way.
  bool is_answer(uint64_t number) const noexcept { return saving() && number == under_way_; }

  void saved();
  void failed();

  /// Saving may work again.
  void retry() noexcept { failing_ = false; }

private:
  /// A turn's row on its way.
  struct row {
    turn_record turn;
    turn_report report;
    bool sent = false;
  };

  void put(turn_record turn, turn_report report);

  std::vector<row> rows_;          ///< the oldest first; each save carries one
  size_t saved_messages_ = 0;      ///< the store has the first so many messages of the history
  size_t in_flight_messages_ = 0;  ///< so many it has once the save under way is done
  size_t last_tried_messages_ = 0; ///< size of the history at the last save
  bool tail_differs_ = false;      ///< the store may have other messages after saved_messages_
  bool has_news_ = false;          ///< a row or an old message has changed since the last save
  bool failing_ = false;           ///< the last save failed
  bool creates_ = false;           ///< the store has no such chat until a save is done
  bool begins_ = false;            ///< the next save is the first of a turn
  bool takes_ = false;             ///< the turn has no claim of its chat yet
  bool taking_ = false;            ///< the save under way claims it
  bool owes_ = false;              ///< a save has failed, and none was done since
  uint64_t if_version_ = 0;
  uint64_t number_ = 0;    ///< of the last save
  uint64_t under_way_ = 0; ///< number of the save that has no answer; 0: none
  uint64_t in_flight_seq_ = 0, saved_seq_ = 0;
};

} // namespace troupe

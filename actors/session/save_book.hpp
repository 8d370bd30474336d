// What the store of conversations has of a chat, and what it has still to get.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "messages/store/store_messages.hpp"

namespace troupe {

/// Decides what a save has to carry. At most one is under way. One that failed may have been done
/// all the same, so what it had goes with the next one, which says the same again. Not thread safe;
/// lives in a session, whose history it is told about.
class save_book {
public:
  /// The store has these messages of the chat; rows of turns that are unsaved stay so.
  void reset(size_t messages);

  /// The store has no such chat: the next save begins it, and must not replace one that came since.
  void create() noexcept { creates_ = true; }

  /// The history's messages from that number on are not those that were there before.
  void changed(size_t from);

  /// A turn begins. @param if_version of the first save; 0: none
  void begin(turn_record turn, uint64_t if_version);

  /// It is over. Replaces what is unsaved of its row, unless that is under way.
  void end(turn_record turn, turn_report report);

  /// Forgets the row of a turn that the store has refused.
  void forget(const std::string& turn_id);

  /// Returns whether the store has not all of it. @param messages of the history
  bool unsaved(size_t messages) const;

  bool saving() const noexcept { return under_way_ != 0; }
  bool failing() const noexcept { return failing_; }

  /// Returns whether a save is to be sent now.
  /// @param insists after a failure, too, as soon as there is something new
  bool due(size_t messages, bool insists) const;

  /// Returns the next save; it is under way from now on.
  save_chat next(const std::string& session_id, const std::vector<chat_message>& history);

  /// The events of the running turn up to that number go with the save that is under way.
  void sends_events(uint64_t last_seq) noexcept { sent_seq_ = last_seq; }

  /// Returns the number of the last event of the running turn that the store has.
  uint64_t saved_seq() const noexcept { return saved_seq_; }

  /// Returns whether the answer of that number is to the save that is under way.
  bool is_answer(uint64_t number) const noexcept { return saving() && number == under_way_; }

  /// Nobody knows whether the save under way was done; failed() follows.
  void lost() noexcept { creates_ = false; }

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

  std::vector<row> rows_; ///< the oldest first; each save carries one
  size_t same_ = 0;       ///< so many messages are the same in the store
  size_t sent_ = 0;       ///< so many will be, when the save that is under way is done
  size_t tried_ = 0;      ///< messages of the history at the last save
  bool differs_ = false;  ///< the store may have others behind those
  bool news_ = false;     ///< something other than more messages has come since the last save
  bool failing_ = false;  ///< the last save failed
  bool creates_ = false;  ///< the chat is none of the store's until a save is, or may be, done
  uint64_t if_version_ = 0;
  uint64_t number_ = 0;    ///< of the last save
  uint64_t under_way_ = 0; ///< number of the save that has no answer; 0: none
  uint64_t sent_seq_ = 0, saved_seq_ = 0;
};

} // namespace troupe

// Work that a store does piece by piece, since it is too long to be done at once.
#pragma once

#include "messages/errors.hpp"
#include "messages/store/conversation.hpp"
#include "messages/store/store_messages.hpp"

namespace troupe {

/// A long change that is made piece by piece, so that other writes get in between. Nobody sees it
/// before it is whole; what is given up is cleared away by store_connection::tidy(). Used on the
/// thread of its connection, and destroyed before it.
class staged_change {
public:
  virtual ~staged_change() = default;

  /// Does a piece of a few milliseconds, in a transaction of its own; not within a transaction. A
  /// failure ends the change.
  /// @param more set to whether pieces are left @param out set with the last piece
  virtual failure step(bool& more, conversation_info& out) = 0;
};

/// A chat that is read piece by piece, while others write: it is as it was when the first piece was
/// read. One thread at a time; destroyed before its store_port.
class chat_reading {
public:
  virtual ~chat_reading() = default;

  /// Reads a piece of a few milliseconds. @param out set with the last piece: the chat, version 0
  /// if there is none, or why it cannot be read @return whether pieces are left
  virtual bool step(chat_record& out) = 0;
};

} // namespace troupe

// The store of conversations as the actors see it: what a backend implements.
#pragma once

#include <memory>
#include <string>

#include "messages/store/durability.hpp"
#include "messages/store/file_shelf.hpp"
#include "messages/store/long_work.hpp"
#include "messages/store/store_connection.hpp"

namespace troupe {

class cluster_store;

/// Opens connections to one database. Any thread; outlives the actors.
class store_port {
public:
  virtual ~store_port() = default;

  /// @param why set when nullptr comes back
  virtual std::unique_ptr<store_connection> open(durability how, failure& why) = 0;

  /// Begins to read a chat, with all that is committed. @param why set when nullptr comes back
  virtual std::unique_ptr<chat_reading> read_chat(const load_chat& ask, failure& why) {
    static_cast<void>(ask);
    why = {errc::store_failed, ""};
    return nullptr;
  }

  /// Returns a way to the files that owners upload; nullptr: they are kept elsewhere.
  virtual std::unique_ptr<file_shelf> open_files() { return nullptr; }

  /// Returns whether other nodes may write the same chats: then the first save of a turn is waited
  /// for in any case, since it claims the chat.
  virtual bool shared() const { return false; }

  /// Returns this node's place in its cluster; nullptr: it is in none.
  virtual cluster_store* cluster() { return nullptr; }

  virtual std::string path() const = 0;
  /// Returns a note about the opening of the database, such as a damaged file that was set aside;
  /// or an empty text.
  virtual std::string notice() const = 0;
};

} // namespace troupe

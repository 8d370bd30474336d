// The store of conversations as the actors see it: what a backend implements.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "messages/store/api_key.hpp"
#include "messages/store/conversation_change.hpp"
#include "messages/store/conversation_messages.hpp"
#include "messages/store/durability.hpp"
#include "messages/store/file_shelf.hpp"
#include "messages/store/long_work.hpp"
#include "messages/store/store_copying.hpp"
#include "messages/store/store_messages.hpp"
#include "messages/store/store_status.hpp"
#include "messages/store/usage_messages.hpp"

namespace troupe {

/// Returns whether an error comes from the store itself (full, locked, broken). Others, such as
/// conversation_changed, concern the one write only.
inline bool of_store(const failure& why) {
  return why.code >= errc::store_full && why.code <= errc::store_timeout;
}

/// A connection to the database, for one thread at a time. Every call may block, for long while
/// another process has a transaction open. Failures of the database have the codes store_full,
/// store_read_only, store_locked, store_damaged and store_failed; failures of a request have the
/// codes that its message names.
class store_connection {
public:
  virtual ~store_connection() = default;

  // -- a transaction; a write outside is a transaction of its own ---------------------------------
  virtual failure begin() = 0;
  /// After a failure the transaction is rolled back.
  virtual failure commit() = 0;
  virtual void roll_back() = 0;

  // -- chats -------------------------------------------------------------------------------------
  virtual chat_record load(const load_chat& ask) = 0;
  /// Loads a chat as load() does where that takes no time. @return false: there is one, and
  /// store_port::read_chat() reads it
  virtual bool load_at_once(const load_chat& ask, chat_record& out) {
    out = load(ask);
    return true;
  }
  /// Refuses a save whose claim does not hold (chat_claim.hpp); then it has written nothing.
  virtual save_answer save(const save_chat& ask) = 0;
  /// Returns whether saves are to come together: then the saves of a commit come with save_all(),
  /// and if there is nothing else to commit, that is a transaction of its own.
  virtual bool gathers() const { return false; }
  /// Saves chats, none of them twice. @param out the answers in order; an error is of its save only
  /// @return a failure of the store: nothing is saved, and the transaction is to be rolled back
  virtual failure save_all(const std::vector<const save_chat*>& asks,
                           std::vector<save_answer>& out);
  virtual info_answer change(const change_conversation& ask) = 0;
  /// Begins a change that is too long to be done at once, and takes its content. nullptr: change()
  /// does it at once.
  virtual std::unique_ptr<staged_change> stage(change_conversation& ask) {
    static_cast<void>(ask);
    return nullptr;
  }

  // -- questions ---------------------------------------------------------------------------------
  virtual conversation_page list(const list_conversations& ask) = 0;
  virtual search_page search(const search_conversations& ask) = 0;
  virtual conversation_answer get(const get_conversation& ask) = 0;
  virtual usage_table used(const usage_query& ask) = 0;

  // -- settings and keys -------------------------------------------------------------------------
  virtual setting_list settings(const list_settings& ask) = 0;
  virtual failure put(const setting& value) = 0; ///< an empty value removes it
  virtual key_list keys(const list_keys& ask) = 0;
  virtual failure put(const api_key& key) = 0; ///< adds it, or changes the one of that id

  // -- copies of the whole store -----------------------------------------------------------------
  virtual owner_list owners(const list_owners& ask) = 0;
  /// Sets what an owner used on these days with these models. @param what no row twice
  virtual failure put(const owner_usage& what) = 0;

  // -- upkeep ------------------------------------------------------------------------------------
  /// Marks running turns as interrupted whose process is gone, and frees their chats; turns of
  /// other nodes that live go on. Returns how many in `out`.
  virtual failure close_running_turns(uint64_t& out) = 0;
  /// Does a bounded piece of background work: adds texts to the search index, clears away what
  /// was removed or given up, moves the log of writes into the database. Returns in `more` whether
  /// work is left.
  virtual failure tidy(bool& more) = 0;
  /// Returns store_failed if the database was deleted or replaced: what is written then is lost
  /// with the end of the process. Cheap.
  virtual failure in_place() { return {}; }
  /// Writes a harmless value, to see whether writing works again.
  virtual failure probe() = 0;
  /// Returns a number that changes whenever another connection has changed a key.
  virtual uint64_t keys_version() = 0;
};

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

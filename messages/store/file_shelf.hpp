// Where uploaded files are kept, as their store sees it. Every call may block; one thread at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/limits.hpp"
#include "messages/store/file_messages.hpp"
#include "messages/store/stored_file.hpp"

namespace troupe {

/// Takes the bytes of one file.
class file_writer {
public:
  virtual ~file_writer() = default;
  virtual failure write(std::string_view bytes) = 0;
  /// All bytes are there: they are as safe as this place keeps anything.
  virtual failure end() = 0;
};

/// Where an upload puts its bytes.
class upload_place {
public:
  virtual ~upload_place() = default;
  /// Begins a file, which nobody finds before it was kept. @param why set when nullptr comes back
  virtual std::unique_ptr<file_writer> create(const std::string& id, failure& why) = 0;
  /// Removes what is there of a file, also if it is not whole.
  virtual failure remove(const std::string& id) = 0;
};

/// The files of all owners, and which kept chats use them. Times are seconds since 1970.
class file_shelf : public upload_place {
public:
  /// With that an upload is whole. Its `chats` use it. @return file_unknown: it was given up
  virtual failure keep(const stored_file& file) = 0;

  /// @return file_unknown: there is none that this owner has @param out its `chats` may be a part
  /// of those that use it, but are empty only if none does
  virtual failure find(const std::string& owner, const std::string& id, stored_file& out) = 0;

  virtual file_page list(const list_files& ask) = 0;

  /// Appends some files of all owners, with all chats that use them, by their ids after `after`;
  /// none: there are no others. @param after empty: from the beginning
  virtual failure all(const std::string& after, std::vector<stored_file>& out) = 0;

  /// Appends bytes of a kept file from `offset` on to `out`, at most this many.
  virtual failure read(const std::string& id, uint64_t offset, size_t most, std::string& out) = 0;

  /// Returns in `out` how many bytes the files of an owner have.
  virtual failure held(const std::string& owner, uint64_t& out) = 0;

  /// Notes that a kept chat uses a file. What cannot be noted is so until the next turn with it.
  virtual void use(const std::string& id, const std::string& chat) = 0;

  /// Notes that a chat is gone, and removes files that only this chat has used.
  virtual void forget_chat(const std::string& chat) = 0;

  /// Notes that `copy` uses the files of `chat`.
  virtual void copy_chat(const std::string& chat, const std::string& copy) = 0;

  /// Returns a chat that has used files since before the shelf was opened, and of which nothing was
  /// heard since: it may have been removed by a process that ended before it could forget the chat.
  /// Empty: there is none, as always where chats are removed together with their uses.
  virtual std::string unverified_chat(int64_t now) {
    static_cast<void>(now);
    return {};
  }

  /// Notes whether an unverified chat is there, unless it was verified before.
  virtual void on_verified(const std::string& chat, bool is_there, int64_t now) {
    static_cast<void>(chat), static_cast<void>(is_there), static_cast<void>(now);
  }

  /// Removes files whose time is over, and which no chat uses; and uploads without an end. Does a
  /// bounded piece of that. @return whether more is left
  virtual bool sweep(int64_t now) = 0;
};

/// Returns the failure for a file that an owner does not have.
failure unknown_file(std::string_view id);

/// Returns the failure for a file that a list cannot continue after.
failure no_file_after(std::string_view id);

/// Returns the failure for a file whose bytes are not there any more.
failure file_bytes_gone();

/// Returns quota_used_up if an owner may not keep so many more bytes. @param held now
failure file_quota_fault(const file_limits& limits, uint64_t held, uint64_t more);

} // namespace troupe

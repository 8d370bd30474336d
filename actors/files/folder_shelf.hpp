// Uploaded files in a folder of this machine.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "actors/files/file_folder.hpp"
#include "messages/errors.hpp"
#include "messages/limits.hpp"
#include "messages/store/file_messages.hpp"
#include "messages/store/file_shelf.hpp"
#include "messages/store/stored_file.hpp"

namespace troupe {

/// The files of all owners. Times are seconds since 1970. Not thread safe.
class file_catalog {
public:
  explicit file_catalog(file_limits limits) : limits_{limits} {}

  void add(stored_file file);

  /// Returns the file; nullptr if there is none that this owner has. Stays valid until remove().
  const stored_file* find(std::string_view owner, std::string_view id) const;

  /// The same, whoever has it.
  const stored_file* find(std::string_view id) const;

  /// Returns those that list_files asks for.
  file_page list(const list_files& ask) const;

  /// Returns at most this many of all owners, by their ids after `after`.
  std::vector<stored_file> page_after(std::string_view after, size_t most) const;

  void remove(std::string_view id);

  /// Notes that a kept chat uses a file. Returns whether that is new.
  bool use(std::string_view id, const std::string& chat);

  /// Notes that a chat is gone. @return the ids of files that only this chat has used, and of those
  /// that others use, too
  struct freed {
    std::vector<std::string> unused;
    std::vector<std::string> changed;
  };
  freed forget_chat(const std::string& chat);

  /// Notes that a chat is lost: files that only it has used expire by then, if not before. Returns
  /// the ids of all its files.
  std::vector<std::string> orphan_files(const std::string& chat, int64_t now, int64_t expires_at);

  /// Notes that `copy` has the files of `chat`. Returns the ids of files for which that is new.
  std::vector<std::string> copy_chat(const std::string& chat, const std::string& copy);

  /// Returns the ids of those whose time is over, and which no chat uses.
  std::vector<std::string> expired(int64_t now) const;

  /// Returns how many bytes the files of an owner have.
  uint64_t held(std::string_view owner) const;

  /// Returns quota_used_up if the owner may not keep so many more bytes.
  failure quota_fault(std::string_view owner, uint64_t more) const;

private:
  file_limits limits_;
  std::map<std::string, stored_file, std::less<>> files_;             ///< by id
  std::map<std::string, uint64_t, std::less<>> held_;                 ///< bytes by owner
  std::map<std::string, std::vector<std::string>, std::less<>> used_; ///< ids by chat
};

/// See file_shelf. What there is was read at the start and is known here.
class folder_shelf final : public file_shelf {
public:
  folder_shelf(std::string path, const file_limits& limits);

  std::unique_ptr<file_writer> create(const std::string& id, failure& why) override;
  failure remove(const std::string& id) override;
  failure keep(const stored_file& file) override;
  failure find(const std::string& owner, const std::string& id, stored_file& out) override;
  file_page list(const list_files& ask) override { return catalog_.list(ask); }
  failure all(const std::string& after, std::vector<stored_file>& out) override;
  failure read(const std::string& id, uint64_t offset, size_t most, std::string& out) override;
  failure held(const std::string& owner, uint64_t& out) override;
  void use(const std::string& id, const std::string& chat) override;
  void forget_chat(const std::string& chat) override;
  void copy_chat(const std::string& chat, const std::string& copy) override;
  std::string unverified_chat(int64_t now) override;
  void on_verified(const std::string& chat, bool is_there, int64_t now) override;
  bool sweep(int64_t now) override;

private:
  void note_unverified(const stored_file& file);
  void describe(std::string_view id);

  file_folder folder_;
  file_catalog catalog_;
  std::map<std::string, int64_t>
      unverified_chats_; ///< chats by their ids, and when they used a file first
};

} // namespace troupe

// Uploaded files in a folder of this machine.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "actors/files/file_catalog.hpp"
#include "actors/files/file_folder.hpp"
#include "messages/store/file_shelf.hpp"

namespace troupe {

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
  std::string doubted_chat(int64_t now) override;
  void judge_chat(const std::string& chat, bool is_there, int64_t now) override;
  bool sweep(int64_t now) override;

private:
  void doubt(const stored_file& file);
  void describe(std::string_view id);

  file_folder folder_;
  file_catalog catalog_;
  std::map<std::string, int64_t> doubted_; ///< chats by their ids, and when they used a file first
};

} // namespace troupe

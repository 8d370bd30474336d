// Uploaded files in the database.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "messages/store/file_shelf.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"

namespace troupe {

/// Collects statements by which a chat uses no file any more. Files that only it has used are gone
/// with that, and sweep() removes their bytes, as those of an upload that was given up.
void add_end_of_uses(postgres_connection& db, const std::string& chat);

/// See file_shelf. Knows nothing itself, so that every node that shares the database finds every
/// file. The bytes lie in pieces of file_piece_bytes.
class postgres_files final : public file_shelf {
public:
  static constexpr size_t piece_bytes = size_t{256} * 1024;

  /// @param now_ms since 1970, must not be nullptr
  postgres_files(postgres_place at, int64_t (*now_ms)());

  std::unique_ptr<file_writer> create(const std::string& id, failure& why) override;
  failure remove(const std::string& id) override;
  failure keep(const stored_file& file) override;
  failure find(const std::string& owner, const std::string& id, stored_file& out) override;
  file_page list(const list_files& ask) override;
  failure all(const std::string& after, std::vector<stored_file>& out) override;
  failure read(const std::string& id, uint64_t offset, size_t most, std::string& out) override;
  failure held(const std::string& owner, uint64_t& out) override;
  void use(const std::string& id, const std::string& chat) override;
  void forget_chat(const std::string& chat) override;
  void copy_chat(const std::string& chat, const std::string& copy) override;
  bool sweep(int64_t now) override;

private:
  failure add_uses(stored_file& file);
  failure find_place(const list_files& ask, int64_t& created);

  postgres_connection db_;
  int64_t (*now_ms_)();
};

} // namespace troupe

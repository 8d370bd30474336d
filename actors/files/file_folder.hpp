// Uploaded files on the disk. Blocks: for a detached actor only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/store/file_shelf.hpp"
#include "messages/store/stored_file.hpp"

namespace troupe {

/// A folder of ours with two files for each id: bytes and description. All ids are those that
/// is_file_id() knows, so that no name of a client gets into a path. Not thread safe.
class file_folder final : public upload_place {
public:
  explicit file_folder(std::string path) : path_{std::move(path)} {}
  ~file_folder() override;
  file_folder(const file_folder&) = delete;
  file_folder& operator=(const file_folder&) = delete;

  /// Makes the folder, mode 0700, if it is not there. It must be ours, and nobody else may write in
  /// it. @return store_full, store_read_only or store_failed, with what to do
  failure open();

  /// Returns the descriptions of all files that are whole, and removes what is left of others.
  std::vector<stored_file> load();

  /// Makes the file for the bytes of `id`.
  std::unique_ptr<file_writer> create(const std::string& id, failure& why) override;

  /// Has the file's description say this; with that an upload is whole.
  failure describe(const stored_file& file);

  /// Returns when the file's description was written, in seconds since 1970.
  int64_t described_at(std::string_view id) const;

  /// Removes what is there of `id`.
  failure remove(const std::string& id) override;

  /// Appends bytes of the file from `offset` on to `out`, at most this many.
  failure read(std::string_view id, uint64_t offset, size_t most, std::string& out) const;

private:
  failure write_whole(const std::string& name, std::string_view text);

  std::string path_;
  int folder_ = -1; ///< descriptor
};

/// Returns what an error of the system means for who keeps something. @param doing "write to"
failure disk_failure(std::string_view doing, std::string_view path, int number);

} // namespace troupe

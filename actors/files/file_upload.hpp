// One file on its way to where files are kept. Blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/limits.hpp"
#include "messages/store/file_shelf.hpp"
#include "messages/store/stored_file.hpp"
#include "messages/store/upload_messages.hpp"
#include "messages/wire/multipart.hpp"

namespace troupe {

/// Reads the body of an upload: the file itself, or a form with one. Not thread safe.
class file_upload final : public multipart_reader {
public:
  /// @param place outlives it @param limits of this upload
  file_upload(upload_place& place, const begin_file& ask, const file_limits& limits);

  /// Removes what was written, unless end() was without an error.
  ~file_upload() override;
  file_upload(const file_upload&) = delete;
  file_upload& operator=(const file_upload&) = delete;

  /// Writes the next bytes of the body; after an error they are dropped.
  void feed(std::string_view bytes);

  /// Has it fail, unless it has failed. What was written is removed.
  void fail(failure why);

  /// Closes the file. Returns what is wrong with it; else `file()` is complete but for
  /// `expires_at`.
  failure end(int64_t now);

  /// The file was kept: it stays.
  void keep() { kept_ = true; }

  const stored_file& file() const noexcept { return file_; }
  const failure& error() const noexcept { return error_; }
  const std::shared_ptr<upload_flow>& flow() const noexcept { return flow_; }
  int64_t wanted_lifetime() const noexcept { return lifetime_; } ///< seconds; 0: none

private:
  void begin(multipart_field field) override;
  void take(std::string_view bytes) override;
  void end() override;
  void write(std::string_view bytes);
  void discard();
  failure too_large() const;
  failure decide_type();
  failure read_member();

  upload_place& place_;
  const file_limits limits_;
  stored_file file_;
  std::shared_ptr<upload_flow> flow_;
  std::unique_ptr<multipart> form_; ///< nullptr: the body is the file
  multipart_field field_;           ///< that is being read
  std::string value_;               ///< of it, if it is no file
  std::string start_;               ///< of the file's bytes
  failure error_;
  int64_t lifetime_ = 0;
  std::unique_ptr<file_writer> to_; ///< nullptr: the file is closed
  bool has_file_ = false;
  bool kept_ = false;
};

} // namespace troupe

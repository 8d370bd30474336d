// Messages of uploads to the file_store. They and its answers stay within the process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "messages/errors.hpp"
#include "messages/store/stored_file.hpp"

namespace troupe {

/// The state that the connection of an upload and the file_store share. Any thread, but for
/// `go_on`.
struct upload_flow {
  std::atomic<size_t> waiting{0};   ///< bytes on their way to the disk
  std::atomic<bool> stopped{false}; ///< no more is wanted: the answer is known
  std::function<void()> go_on;      ///< set before begin_file is sent; called below high_water

  static constexpr size_t high_water = 256 * 1024; ///< bytes
};

/// Begins an upload.
struct begin_file {
  std::string upload; ///< the asker's name for it, unique
  std::string owner;
  std::string content_type; ///< of the request; multipart/form-data, or the file's own
  std::string filename;     ///< unless a form says another one
  std::string purpose;      ///< the same
  uint64_t announced = 0;   ///< bytes of the body as its head says; 0: it does not
  std::shared_ptr<upload_flow> flow;
};

/// The next bytes of an upload's body.
struct file_bytes {
  std::string upload;
  std::string bytes;
};

/// The end of an upload's body.
struct end_file {
  std::string upload;
  bool dropped = false; ///< the client has left: nothing is kept
};

/// Answers end_file, and file_request.
struct file_answer {
  failure error; ///< file_unknown, request_invalid, request_too_large, quota_used_up, store_*
  stored_file file;
};

} // namespace troupe

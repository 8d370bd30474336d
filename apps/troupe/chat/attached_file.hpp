// Files that go with a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe {

/// A file that was read.
struct attached_file {
  std::string name;       ///< without its folder
  std::string media_type; ///< as its content says: an image, a sound, PDF or text/plain
  std::string url;        ///< data:
  size_t bytes = 0;
};

/// The most that a file may have.
inline constexpr size_t most_file_bytes = size_t{32} << 20;

/// Returns the path that a person typed: blanks and quotes around it do not count, ~/ is the home.
std::string typed_path(std::string_view typed);

/// Reads a text in UTF-8, an image (PNG, JPEG, GIF, WebP), a sound (WAV, MP3) or a PDF.
/// @param path as typed_path() takes it
/// @return request_invalid: it cannot be read, or is something else
failure read_attached_file(std::string_view path, attached_file& out);

} // namespace troupe

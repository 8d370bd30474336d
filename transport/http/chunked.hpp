// The chunked transfer coding of HTTP/1.1, in both directions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Appends `bytes` as one chunk. Does nothing for no bytes: an empty chunk would end the body.
void append_chunk(std::string& out, std::string_view bytes);

/// The chunk that ends a body.
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

/// Decodes a chunked body, for every way of cutting its bytes. Chunk extensions and trailers are
/// read and dropped. Pure; one per body.
class chunk_reader {
public:
  enum class state { more, done, broken, too_large };

  /// @param limit the most bytes a body may have
  explicit chunk_reader(size_t limit) : limit_{limit} {}

  /// Reads from `bytes`, appends the body's bytes to `body`, and removes the bytes of this body
  /// from `bytes`. After `done` the rest belongs to the next request.
  state read(std::string_view& bytes, std::string& body);

private:
  enum class place { size, extension, size_feed, data, data_return, data_feed, trailer, end_feed };

  state step(char c);
  state size_digit(char c);
  state trailer_char(char c);

  size_t limit_;
  size_t total_ = 0;
  uint64_t left_ = 0;      // of the chunk
  size_t overhead_ = 0;    // of extensions and trailers
  unsigned digits_ = 0;    // of the size
  size_t line_length_ = 0; // of the trailer
  place place_ = place::size;
};

} // namespace troupe

// Reads whole requests, one after the other, from a stream of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "transport/http/http_refusal.hpp"
#include "transport/http/request_head.hpp"

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

/// Reads the requests of one connection, for every way of cutting their bytes. Pure.
class request_reader {
public:
  enum class state { idle, head, body };
  /// `admit`: the head is read, and a body follows. The next read() continues with that.
  enum class outcome { more, admit, complete, refused };

  request_reader(size_t max_header_bytes, size_t max_body_bytes)
      : max_header_{max_header_bytes}, max_body_{max_body_bytes} {}

  /// Removes the bytes of at most one request from `bytes`. Bytes that stay after `more` are an
  /// incomplete head: the caller passes them again, with the following bytes. After `refused`
  /// nothing more can be read.
  outcome read(std::string_view& bytes);

  /// Returns the request after `admit`, without its body. Only its `peer` may be changed.
  server_request& admitted() { return incoming_->head.request; }

  /// Sets the most bytes of the body that follows; after `admit` only.
  void set_body_limit(size_t max_bytes);

  /// Returns whether the body was refused because of its size; then take() has the request.
  bool is_too_large() const { return why_.status == refusal::body_too_large.status && incoming_; }

  /// Returns what was read of the body and not passed on, and forgets it with pass_on().
  std::string_view body() const noexcept {
    return incoming_ ? std::string_view{incoming_->head.request.body} : std::string_view{};
  }
  void pass_on();

  /// Returns the request after `complete` with its body, or after `admit` without it, once.
  request_head take();

  /// Forgets the request that is being read; nothing more can be read.
  void drop() { incoming_.reset(); }

  /// Returns why after `refused`.
  const http_refusal& why() const { return why_; }

  /// Returns, once per request, whether the client waits for "100 Continue".
  bool wants_continue() { return std::exchange(wants_continue_, false); }

  /// Returns how many bytes of the body were read.
  uint64_t body_bytes() const {
    return incoming_ ? incoming_->passed + incoming_->head.request.body.size() : 0;
  }

  /// Returns how much memory the body takes.
  size_t kept_bytes() const { return incoming_ ? incoming_->head.request.body.capacity() : 0; }

  /// Returns the progress of the present request.
  state now() const { return state_; }

private:
  outcome read_head(std::string_view& bytes);
  outcome read_body(std::string_view& bytes);
  outcome read_chunks(std::string_view& bytes);
  outcome refuse(const http_refusal& why);
  outcome refuse_body();

  /// Exists only while a request is being read, so that idle connections stay small.
  struct incoming {
    request_head head;
    std::optional<chunk_reader> chunks; // else the content-length counts
    size_t max_body = 0;
    uint64_t passed = 0; // bytes of the body that were passed on
  };

  size_t max_header_;
  size_t max_body_;
  head_finder finder_;
  std::unique_ptr<incoming> incoming_;
  http_refusal why_;
  state state_ = state::idle;
  bool wants_continue_ = false;
};

} // namespace troupe

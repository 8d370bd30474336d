// The answers of an MCP server over HTTP, a JSON body or an event stream, as messages.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/http.hpp"
#include "messages/wire/sse.hpp"

namespace troupe {

/// Reads the answers of one logical stream, one after the other: first of a POST or GET, then of
/// the GETs that resume it. Pure; any thread, one at a time.
class mcp_answer_reader {
public:
  /// @param max_bytes longest JSON body and longest event; beyond it overflowed()
  explicit mcp_answer_reader(size_t max_bytes) : max_bytes_{max_bytes}, events_{max_bytes} {}

  /// Takes the next part and returns the messages that it completes. Priming events, which have
  /// no data, are left out, and so are events of other types than `message` that hold no JSON.
  /// Unfinished events of a stream that was cut are dropped. Byte order marks in front of a body or
  /// of an event's data are left out.
  std::vector<std::string> take(const http_part& part);

  /// Forgets the head and unfinished data; the event id and the retry time stay.
  void start_over();

  /// The status of the answer; 0 before its head.
  uint16_t status() const noexcept { return status_; }

  /// Returns whether the status is a success.
  bool accepted() const noexcept { return status_ >= 200 && status_ < 300; }

  bool is_event_stream() const noexcept { return is_event_stream_; }

  /// The body of an answer that is no event stream, without the messages in it.
  const std::string& body() const noexcept { return body_; }

  /// The data of the last `endpoint` event (HTTP+SSE, 2024-11-05); empty if there was none.
  const std::string& endpoint() const noexcept { return endpoint_; }

  /// The target of a redirect, as in the answer's head.
  const std::string& location() const noexcept { return location_; }

  /// The event id from which to resume; empty if the server gave none.
  const std::string& last_event_id() const noexcept { return last_event_id_; }

  /// How long the server asks to wait before resuming; negative if it does not.
  std::chrono::milliseconds retry() const noexcept { return retry_; }

  bool overflowed() const noexcept { return overflowed_; }

private:
  void read_event(const sse_event& event, std::vector<std::string>& out);
  void read_events(const http_part& part, std::vector<std::string>& out);
  void read_body(const http_part& part, std::vector<std::string>& out);

  size_t max_bytes_;
  uint16_t status_ = 0;
  bool is_event_stream_ = false;
  bool overflowed_ = false;
  sse_parser events_;
  std::string body_;
  std::string endpoint_;
  std::string location_;
  std::string last_event_id_;
  std::chrono::milliseconds retry_{-1};
};

/// Returns the beginning of `body` as one printable line, for an error text; of UTF-16 or packed
/// bytes only that they are.
std::string excerpt(std::string_view body);

} // namespace troupe

// Server-sent events, read byte by byte: WHATWG HTML, section 9.2 "Server-sent events".
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace troupe {

/// One dispatched event. The views hold until the visitor returns; 64 bytes after `data` are
/// readable.
struct sse_event {
  std::string_view type;    ///< "" when no event field was given
  std::string_view data;    ///< lines joined by '\n'
  std::string_view id;      ///< last event id of the stream, "" if none
  size_t data_capacity = 0; ///< readable bytes from data.data() on, for parsers that need padding
};

/// Reads a stream in any pieces: LF, CR and CRLF ends, BOM, comments, fields with or without space.
/// Also takes the non-standard `error:` field that some servers send, as an event of type "error",
/// and a line that begins with '{', as the data of an event: some servers forget its label, and a
/// stream must not lose lines unnoticed.
/// Data that lies whole inside one piece, and not at its very end, is shown in place, not copied.
class sse_parser {
public:
  /// Called for each event; returns false to stop.
  using visitor = std::function<bool(const sse_event&)>;

  /// Gets the rest of a piece where an event may begin. Returns the number of bytes that are whole
  /// events and that the callback has read itself; 0: none.
  using shortcut = std::function<size_t(std::string_view)>;

  /// @param max_event_bytes longest line and longest data of one event; beyond it overflowed() and
  /// nothing more is read
  explicit sse_parser(size_t max_event_bytes = size_t{16} * 1024 * 1024);

  /// Reads `bytes` and calls `visit` for each event that they complete. Events without any data
  /// line are not dispatched, but their id counts. When `visit` returns false, the rest is dropped
  /// and nothing more is read. Bytes that `skip` takes are not parsed.
  void feed(std::string_view bytes, const visitor& visit, const shortcut& skip = {});

  /// Dispatches a last event that has no blank line before the end of the stream.
  void finish(const visitor& visit);

  /// The id as of the last event that has ended, with or without data.
  const std::string& last_event_id() const noexcept;

  /// Whether an event that has ended gave an id. An empty id takes earlier ones back.
  bool gave_id() const noexcept { return settled_; }

  /// The last `retry:` of the stream; negative if there was none.
  std::chrono::milliseconds retry() const noexcept;

  bool overflowed() const noexcept;

private:
  bool between_events() const noexcept { return line_.empty() && !has_data_ && type_.empty(); }
  void line(std::string_view text, const visitor& visit);
  void bare(std::string_view text, const visitor& visit);
  void field(std::string_view name, std::string_view value);
  void add_data(std::string_view value);
  void dispatch(const visitor& visit);
  void keep_data();
  void end_feed(std::string_view rest);

  size_t max_event_bytes_;
  std::string line_; ///< an unfinished line
  std::string data_; ///< of the event in the making, unless in_place_ shows it
  std::string type_;
  std::string last_id_;       ///< of the current event
  std::string settled_id_;    ///< last_id_ when the last event ended
  std::string_view in_place_; ///< the only data line so far, inside the piece that is being fed
  const char* readable_ = nullptr; ///< end of that piece
  std::chrono::milliseconds retry_{-1};
  bool has_data_ = false;
  bool has_id_ = false;  ///< an id field was read
  bool settled_ = false; ///< has_id_ when the last event ended
  bool after_cr_ = false;
  bool at_start_ = true;
  bool overflowed_ = false;
  bool stopped_ = false;
};

} // namespace troupe

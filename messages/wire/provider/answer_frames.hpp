// The frames in which servers send the texts of an answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/wire/json_texts.hpp"
#include "messages/wire/sse.hpp"

namespace troupe {

/// The framing of the texts of a body.
enum class answer_framing : uint8_t {
  unknown, ///< too little has come to know
  events,  ///< server-sent events
  texts,   ///< JSON objects one after another: JSON lines, or one object over many lines
  list,    ///< a JSON array (list_reading)
  markup,  ///< HTML or XML
  other,   ///< anything else
};

/// Whether a body that is a JSON array is read. It is no answer of most providers, and has an end
/// only when all of it is there.
enum class list_reading : uint8_t {
  refused,
  elements, ///< each element is a text
};

/// Returns what a body is that begins with `start`; space and a BOM before it mean nothing.
answer_framing framing_of(std::string_view start) noexcept;

/// Cuts the body of a successful answer into its texts, whatever it was announced as: the first
/// bytes tell. A body that cannot be read has a fault() as soon as that is certain. Gives the same
/// texts and the same fault for every way of cutting the bytes. Not thread safe.
class answer_frames {
public:
  using visitor = sse_parser::visitor;
  using shortcut = sse_parser::shortcut;

  /// @param max_event_bytes of one server-sent event @param max_text_bytes of one JSON text
  answer_frames(size_t max_event_bytes, size_t max_text_bytes,
                list_reading lists = list_reading::refused)
      : max_event_bytes_{max_event_bytes}, max_text_bytes_{max_text_bytes}, lists_{lists},
        events_{max_event_bytes}, texts_{max_text_bytes} {}

  /// Reads `bytes` and shows each text that they complete: the data of an event, or a JSON text,
  /// which has no type and no id. `skip` is for events (sse_parser::feed). Reads nothing more after
  /// a fault, or when `visit` has returned false; of markup only the beginning.
  void feed(std::string_view bytes, const visitor& visit, const shortcut& skip = {});

  /// Tells that the body ended; shows a last text, which may lack its end.
  void finish(const visitor& visit);

  answer_framing framing() const noexcept { return framing_; }

  /// Returns whether the body is none that this reads. The fault may wait for what it quotes.
  bool is_unreadable() const noexcept {
    return framing_ > answer_framing::list ||
           (framing_ == answer_framing::list && lists_ == list_reading::refused);
  }

  /// Returns what came while the framing was unknown, and of markup the piece that made it known.
  std::string_view start() const noexcept { return start_; }

  /// Returns why the body cannot be read, model_answer_invalid or the error that it tells; none for
  /// markup, which the reader knows better how to quote.
  const failure& fault() const noexcept { return fault_; }

private:
  void sniff(std::string_view bytes, const visitor& visit, const shortcut& skip);
  void read(std::string_view bytes, const visitor& visit, const shortcut& skip);
  void read_texts(std::string_view bytes, const visitor& visit);
  void read_list(std::string_view bytes, const visitor& visit);
  void finish_list(const visitor& visit);
  void read_other(std::string_view bytes);
  void tell_list(std::string_view first);
  void tell_other();
  void tell_overflow(std::string_view what, size_t bound);

  size_t max_event_bytes_;
  size_t max_text_bytes_;
  list_reading lists_;
  answer_framing framing_ = answer_framing::unknown;
  std::string start_;
  sse_parser events_;
  json_texts texts_;
  failure fault_;
};

} // namespace troupe

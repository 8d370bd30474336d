// A turn in Ollama's format: as lines, or as one answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/chat/events.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/completions/completions_stream.hpp"

namespace troupe {

/// The form of a question: a chat is answered with a `message`, a prompt with a `response`.
enum class ollama_form : uint8_t { chat, prompt };

/// The time of the wall.
using ollama_clock = std::chrono::system_clock::time_point (*)();

/// The members that all lines of one answer share.
struct ollama_identity {
  std::string model; ///< as the client asked for it
  ollama_form form = ollama_form::chat;
  bool shows_thinking = true;
  ollama_clock now = std::chrono::system_clock::now;
};

/// When a turn began and when it first had something to show: Ollama's clients tell how fast a
/// model is. Not thread safe.
class ollama_times {
public:
  explicit ollama_times(ollama_clock now) : now_{now}, began_{now()}, first_{began_} {}

  /// Notes that there is something to show.
  void show() {
    if (first_ == began_)
      first_ = now_();
  }

  /// Appends `,"total_duration":...` and the other durations, in nanoseconds, and the tokens.
  void append(json_buffer& out, const usage& used) const;

private:
  ollama_clock now_;
  std::chrono::system_clock::time_point began_, first_;
};

/// Encodes the events of a turn as lines of JSON, the last of which is `done`, or has an `error`.
/// Calls that the engine runs are not shown; client-side calls are, each in one line. One object
/// per turn; not thread safe.
class ollama_stream {
public:
  explicit ollama_stream(ollama_identity identity);

  /// Appends the lines for these events.
  void encode(const event_batch& batch, json_buffer& out);

private:
  class writer; // one overload per event

  ollama_identity identity_;
  ollama_times times_;
  size_t calls_ = 0; ///< that were written
  round_texts texts_, thoughts_;
  bool failed_ = false; ///< an error was written: there is no other end
};

/// Collects the events of a turn and makes one answer of them. Not thread safe.
class ollama_collector {
public:
  explicit ollama_collector(ollama_identity identity)
      : identity_(std::move(identity)), times_{identity_.now} {}

  void take(const event_batch& batch);

  /// Returns the failure of the turn; no error when it ended well. After the terminal event.
  const failure& error() const noexcept { return outcome_.error; }

  /// Returns the answer's body. After the terminal event.
  std::string body() const;

private:
  class reader; // one overload per event

  ollama_identity identity_;
  ollama_times times_;
  std::string text_;
  std::string reasoning_;
  round_texts texts_, thoughts_;
  std::vector<tool_args_complete> calls_; ///< client-side calls
  turn_outcome outcome_;
};

/// Returns the answer to a request that asks nothing: the model is there.
std::string ollama_loaded(const ollama_identity& identity);

/// Returns a line without a text, for answers that are silent: clients of Ollama read nothing but
/// JSON. In static storage.
std::string_view ollama_sign_of_life(ollama_form form);

/// Returns an error as Ollama's clients read it: {"error":"..."}.
std::string ollama_error(const failure& why);

} // namespace troupe

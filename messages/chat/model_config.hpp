// One entry of `models` in the configuration.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "messages/http.hpp"

namespace troupe {

/// The name of the bound on an answer's tokens, which has two in chat completions.
enum class bound_name : uint8_t {
  usual, ///< as the server's dialect says
  old,   ///< max_tokens
  newer, ///< max_completion_tokens
};

/// Lessons that all requests to one model share beside its configuration. A copy begins empty. Any
/// thread.
class model_lessons {
public:
  model_lessons() = default;
  ~model_lessons() = default;
  model_lessons(const model_lessons&) noexcept : model_lessons() {}
  model_lessons& operator=(const model_lessons&) noexcept { return *this; }

  /// Returns the name of the bound that the server has not refused.
  bound_name bound() const noexcept { return bound_; }

  /// The server refused the bound's other name. Does nothing when both were refused already.
  /// @return whether requests say that name from now on
  bool use_bound(bound_name name) const noexcept;

  /// Returns whether the server has refused a history in which an answer has no reasoning.
  bool wants_earlier_reasoning() const noexcept { return wants_earlier_reasoning_; }
  void want_earlier_reasoning() const noexcept { wants_earlier_reasoning_ = true; }

  /// Notes a parameter that the server does not take, whatever its value. Returns whether requests
  /// leave it out from now on: not where there are 32 already, nor where it was noted and is
  /// refused again and again, since then the request has it elsewhere.
  bool refuse(std::string_view parameter) const;

  /// Returns whether the server does not take the parameter.
  bool refuses(std::string_view parameter) const;

  /// Notes a parameter that is left out of requests. @param parameter one of a fixed list: all are
  /// kept
  void leave_out(std::string_view parameter) const;

  /// Returns the parameters noted since the last call that were not noted before.
  std::vector<std::string> take_left_out() const;

private:
  mutable std::atomic<bound_name> bound_{bound_name::usual};
  mutable uint8_t changes_ = 0; ///< of bound_, under mutex_
  mutable std::atomic<bool> has_new_{false};
  mutable std::atomic<bool> has_refused_{false};
  mutable std::atomic<bool> wants_earlier_reasoning_{false};
  mutable std::mutex mutex_;
  mutable std::map<std::string, uint32_t, std::less<>> refused_; ///< how often, by name
  mutable std::set<std::string, std::less<>> left_out_;
  mutable std::vector<std::string> new_; ///< of left_out_
};

/// Whether a model gets its own reasoning back (chat.md 2.2: DeepSeek demands it in tool loops).
enum class reasoning_policy : uint8_t {
  keep,  ///< in the messages since the last one of the user; as `all` where the model wants that
  all,   ///< in all messages
  empty, ///< the key is sent, with the value ""
  strip, ///< never
};

/// The kinds of files that a model takes as such; all else becomes text or a note.
struct file_kinds {
  bool images = false;    ///< PNG, JPEG, GIF, WebP
  bool documents = false; ///< PDF
  bool audio = false;     ///< WAV, MP3
};

/// Parameters of each answer of a model, whichever provider has it. Each provider's writer maps
/// these, and docs/providers.md says which of them one cannot do. `parameters` and the parameters
/// of a client's request win.
struct generation_options {
  uint32_t max_output_tokens = 0; ///< 0: as the provider likes
  std::string reasoning_effort;   ///< none, minimal, low, medium, high, xhigh, max; "" = not said
  int64_t reasoning_budget = -2;  ///< tokens; 0: none, -1: as the model likes, -2: not said
  bool cache = true;           ///< prompt caching is asked for where that takes marks (Anthropic)
  uint32_t context_tokens = 0; ///< Ollama's num_ctx; 0: the server's default
  std::string tool_choice;     ///< JSON in OpenAI's form; "" = not said
  int32_t parallel_tool_calls = -1; ///< 0, 1; -1: not said
  std::string response_schema;      ///< JSON Schema that answers have to match; "" = none
};

/// How long one model request may take, by the actors' clock; zero means no limit.
struct model_timeouts {
  std::chrono::milliseconds connect{10'000};      ///< name lookup, TCP and TLS
  std::chrono::milliseconds first_token{120'000}; ///< from an attempt's start to its first event
  std::chrono::milliseconds idle{60'000};         ///< between two reads of the body
  std::chrono::milliseconds total{600'000};       ///< all attempts, waiting included
};

/// One model that turns can use: its address, its secrets, and how its requests are made.
struct model_config {
  std::string name;               ///< the key
  std::string provider{"openai"}; ///< a name in providers()
  std::string base_url; ///< "https://host/v1", without the method's path; never empty in use
  std::string model;    ///< the name the provider knows; empty = `name`
  std::string api_key;  ///< secret; may be empty
  bool streaming = true;
  std::string proxy; ///< URL; empty = as the environment says
  model_timeouts timeouts;

  bool images = false;    ///< it takes images; else they become a note in the text
  bool documents = false; ///< the same for PDF documents
  bool audio = false;     ///< the same for sounds
  headers fields = {};    ///< sent with each request; one replaces the engine's own of that name
  generation_options generation = {};
  reasoning_policy reasoning = reasoning_policy::keep;
  bool start_with_reasoning = false; ///< its prompt holds the opening <think>, its answers do not
  uint32_t max_tools = 128;          ///< tools in one request; 0 = any number
  std::string parameters;            ///< JSON object whose members go into each request; "" = none

  uint32_t max_attempts = 3;                  ///< of one request before its first token, 1 to 10
  std::chrono::milliseconds retry_delay{500}; ///< before the second one; doubles
  std::chrono::milliseconds max_retry_delay{30'000}; ///< also for Retry-After; longer = give up
  std::string fallback; ///< key of the model that answers when this one cannot; "" = none

  uint32_t max_concurrent = 0; ///< requests at once; 0 = no limit
  uint32_t max_queued = 100;   ///< requests that may wait for a slot

  model_lessons lessons = {}; ///< nothing of the configuration: what requests have shown
};

} // namespace troupe

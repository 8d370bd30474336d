// One entry of `models` in the configuration.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "messages/http.hpp"

namespace troupe {

/// Whether a model gets its own reasoning back (chat.md 2.2: DeepSeek demands it in tool loops).
enum class reasoning_policy : uint8_t {
  keep,  ///< in the messages since the last one of the user
  empty, ///< the key is sent, with the value ""
  strip, ///< never
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
  std::string base_url;           ///< "https://host/v1", without the method's path
  std::string model;              ///< the name the provider knows; empty = `name`
  std::string api_key;            ///< secret; may be empty
  bool streaming = true;
  std::string proxy; ///< URL; empty = as the environment says
  model_timeouts timeouts;

  bool images = false; ///< it takes images; else they become a note in the text
  reasoning_policy reasoning = reasoning_policy::keep;
  bool start_with_reasoning = false; ///< its prompt holds the opening <think>, its answers do not
  std::string parameters;            ///< JSON object whose members go into each request; "" = none

  uint32_t max_attempts = 3;                  ///< of one request before its first token, 1 to 10
  std::chrono::milliseconds retry_delay{500}; ///< before the second one; doubles
  std::chrono::milliseconds max_retry_delay{30'000}; ///< also for Retry-After; longer = give up
  std::string fallback; ///< key of the model that answers when this one cannot; "" = none

  uint32_t max_concurrent = 0; ///< requests at once; 0 = no limit
  uint32_t max_queued = 100;   ///< requests that may wait for a slot
};

} // namespace troupe

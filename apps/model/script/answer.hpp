// The answer of a script: the content, its pace and its end; no bytes yet.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/http.hpp"

namespace troupe::scripted {

/// How an answer ends.
enum class ending : uint8_t {
  whole,     ///< as the API promises
  cut,       ///< the connection is closed after the last token
  cut_clean, ///< the body ends after the last token, as if that were all
  stall,     ///< nothing more comes after the last token
  silent,    ///< nothing comes at all
  failed,    ///< an error comes after the last token, in the stream
  refused,   ///< an error comes in place of an answer, with its status
  verbatim,  ///< no answer of a model: status, content type and body as given
};

/// Why a request is refused, or an answer fails. Each provider has its own words and status.
enum class refusal_kind : uint8_t {
  invalid,       ///< something in the request
  unauthorized,  ///< the key
  unknown_model, ///< the script
  unknown_path,
  wrong_method,
  rate_limited, ///< with a hint to try again after one second
  no_quota,     ///< trying again is in vain
  overloaded,   ///< the provider is busy
  failed,       ///< the provider is at fault
};

/// One refusal; an empty message stands for the provider's usual one.
struct refusal {
  refusal_kind kind = refusal_kind::failed;
  std::string message = {};
};

/// One answer. Reasoning comes before text, text before calls.
struct answer {
  std::string reasoning;
  std::string text;
  size_t tokens = 0;            ///< so many tokens of the repeated `text`; 0 = the whole text, once
  std::vector<tool_call> calls; ///< `arguments` need not be JSON
  std::string_view finish = "stop"; ///< stop, length, tool_calls, content_filter, pause
  ending end = ending::whole;
  refusal refused = {};                  ///< with failed and refused
  std::chrono::milliseconds delay{0};    ///< before the first byte
  std::chrono::microseconds interval{0}; ///< between two tokens; 0 = all at once

  uint16_t status = 200; ///< verbatim
  headers fields;        ///< verbatim
  std::string body;      ///< verbatim
};

/// Returns how many tokens the answer has: reasoning, text and arguments.
size_t tokens_of(const answer& what);

/// Returns the text of the answer, repeated up to its number of tokens.
std::string text_of(const answer& what);

} // namespace troupe::scripted

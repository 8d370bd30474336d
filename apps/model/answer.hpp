// What a script answers: the content, its pace and its end; no bytes yet.
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
  verbatim,  ///< not a completion: status, content type and body as given
};

/// One answer. Reasoning comes before text, text before calls.
struct answer {
  std::string reasoning;
  std::string text;
  size_t tokens = 0;            ///< so many tokens of the repeated `text`; 0 = the whole text, once
  std::vector<tool_call> calls; ///< `arguments` need not be JSON
  std::string_view finish = "stop"; ///< finish_reason
  ending end = ending::whole;
  std::chrono::milliseconds delay{0};    ///< before the first byte
  std::chrono::microseconds interval{0}; ///< between two tokens; 0 = all at once

  uint16_t status = 200; ///< verbatim
  headers fields;        ///< verbatim
  std::string body;      ///< verbatim
};

} // namespace troupe::scripted

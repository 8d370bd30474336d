// What a model provider is to the engine: a request body to send, and a decoder for what comes
// back.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/events.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/chat/tool_definition.hpp"
#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/http.hpp"

namespace troupe {

/// What one model request is made of. The views live as long as the caller's data.
struct model_prompt {
  const model_config& model;
  const std::vector<chat_message>& history;
  std::string_view
      tools; ///< the tools of a tool_snapshot in the provider's own JSON array; "" = none
  uint32_t max_tokens = 0; ///< of the answer; 0: not said
  int32_t streaming = -1;  ///< 0, 1; -1: as model.streaming
  std::string_view parameters =
      {}; ///< JSON object; its members win over model.parameters, ours win over both
  std::string_view system = {}; ///< goes first, unless the history begins with one; "" = none
  bool has_results = false;     ///< calls of this turn were run: none has to be made any more
};

/// How a model's answer ended.
struct model_end {
  bool over = false; ///< nothing more comes
  finish_reason reason = finish_reason::other;
  usage used;
  std::string raw_reason;        ///< as the provider spelled it
  std::string provider_metadata; ///< chat_message::provider_metadata; "" = none
  failure error;                 ///< set: the answer failed; what came before it stands
};

/// Returns whether the answer ended before the model was done with it. Calls of such an answer are
/// not run: what their arguments lack does not show.
constexpr bool is_cut(finish_reason why) noexcept {
  return why == finish_reason::length || why == finish_reason::content_filter ||
         why == finish_reason::error;
}

/// Reads one answer. Gives the same events for every way of cutting the bytes. Not thread safe.
class model_decoder {
public:
  virtual ~model_decoder() = default;

  /// Reads the answer's head; called once, before any bytes.
  /// @param retry_after as received, for the error text
  virtual void head(uint16_t status, std::string_view content_type,
                    std::string_view retry_after) = 0;

  /// Reads body bytes and appends to `out`: text_delta, reasoning_delta, tool_args_start,
  /// tool_args_delta, tool_args_complete (with `arguments` as the model wrote them, not validated).
  /// Returns an `over` end once the provider's own terminator was read; what follows is ignored.
  virtual model_end feed(std::string_view bytes, std::vector<event>& out) = 0;

  /// Says that the body ended; returns an `over` end and closes what is open.
  /// @param cut what broke the transfer; no error for a clean end of the body
  virtual model_end finish(const failure& cut, std::vector<event>& out) = 0;
};

/// A provider: one room beside this one, and one row in messages/wire/providers.cpp.
struct provider {
  std::string_view name;

  /// Builds the HTTP request (method, URL, headers, body).
  http_request (*make_request)(const model_prompt&);

  /// Renders tools for model_prompt::tools; byte-stable for equal input.
  std::string (*render_tools)(const std::vector<tool_definition>&);

  /// Makes the decoder of one answer. @param model who answers; is not kept
  /// @param id_prefix makes ids for calls that come without one: prefix + running number
  std::unique_ptr<model_decoder> (*make_decoder)(const model_config& model, std::string id_prefix);
};

} // namespace troupe

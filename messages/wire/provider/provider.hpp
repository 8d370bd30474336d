// A model provider as the engine sees it: it makes the request, and the decoder of the answer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/events.hpp"
#include "messages/chat/model_config.hpp"
#include "messages/chat/tool_set.hpp"
#include "messages/chat/usage.hpp"
#include "messages/errors.hpp"
#include "messages/http.hpp"

namespace troupe {

/// The parts of one model request. Only references: the caller's data must outlive it.
struct model_request {
  const model_config& model;
  const std::vector<chat_message>& history;
  const tool_set* tools = nullptr; ///< nullptr: none
  uint32_t max_tokens = 0;         ///< of the answer; 0: no bound
  int32_t streaming = -1;          ///< 0, 1; -1: as model.streaming
  std::string_view parameters =
      {}; ///< JSON object; its members win over model.parameters, ours win over both
  std::string_view system = {}; ///< system message, unless the history begins with one; "" = none
  bool has_results = false;     ///< calls of this turn were run: `tool_choice` must not demand more
  bool without_sealed_reasoning =
      false; ///< what providers sealed in earlier answers is not sent back

  bool has_tools() const noexcept { return tools != nullptr && !tools->tools.empty(); }
};

/// How a model's answer ended.
struct model_end {
  bool over = false;     ///< nothing more comes
  bool finished = false; ///< the model is done or refuses; usage or the like may still come
  finish_reason reason = finish_reason::other;
  usage used;
  std::string raw_reason;        ///< as the provider spelled it
  std::string stop_sequence;     ///< which one ended the answer, where the provider says so
  std::string provider_metadata; ///< chat_message::provider_metadata; "" = none
  failure error;                 ///< set: the answer failed; its earlier events stay valid
  int64_t retry_after_ms = -1; ///< with error: when to try again, as the body says; -1: it does not
  std::string refused_parameter; ///< with model_request_invalid: a parameter to be left out
  bool goes_on = false; ///< the provider only paused: the same request, with this answer after the
                        ///< history, gives the rest
  bool refused = false; ///< chat_message::refused
  uint64_t full_context = 0; ///< model_report::full_context
};

/// Returns whether the answer ended before the model was done. Calls of such an answer are not run:
/// their arguments may be incomplete without a visible fault.
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
  /// Returns an `over` end after the provider's own terminator; later bytes are ignored. Before it
  /// only `finished` is set, while the model has said that it is done, or what comes is no answer.
  virtual model_end feed(std::string_view bytes, std::vector<event>& out) = 0;

  /// Tells the decoder that the body ended. Returns an `over` end and closes open parts.
  /// @param cut why the transfer broke off; no error for a clean end of the body
  virtual model_end finish(const failure& cut, std::vector<event>& out) = 0;
};

/// Where a provider's configuration comes from when nothing is configured.
struct provider_environment {
  std::string_view key = {};       ///< variable with the API key
  std::string_view other_key = {}; ///< looked at when `key` is not set
  std::string_view base_url = {};  ///< variable with the address
  std::string_view model = {};     ///< variable with the model's name
  /// Makes a URL of what the variable with the address holds; nullptr: it holds one.
  std::string (*to_url)(std::string_view) = nullptr;
};

/// A provider: one room beside this one, and one row in messages/wire/providers.cpp.
struct provider {
  std::string_view name; ///< value of `provider` in the configuration

  /// Builds the HTTP request (method, URL, headers, body).
  http_request (*make_request)(const model_request&);

  /// Makes the decoder of one answer. @param model who answers; is not kept
  /// @param id_prefix makes ids for calls that come without one: prefix + running number
  std::unique_ptr<model_decoder> (*make_decoder)(const model_config& model, std::string id_prefix);

  std::string_view base_url = {}; ///< model_config::base_url where none is configured
  provider_environment environment = {};
  file_kinds files = {}; ///< what its models take, unless the configuration says otherwise
  std::string_view usual_model = {}; ///< asked where only the environment names the provider

  /// Returns what is wrong with an entry of `models`, as "member: what, and what to do"; "" =
  /// nothing. nullptr: anything goes.
  std::string (*check)(const model_config&) = nullptr;

  /// Learns from a refusal (errc::model_request_invalid) how the requests of this model have to
  /// look. Returns whether the same request would look otherwise now. nullptr: there is nothing to
  /// learn.
  bool (*learn)(const model_config&, std::string_view refusal) = nullptr;
};

} // namespace troupe

// The parameters of a request to a model, in words of no provider.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "messages/json.hpp"
#include "messages/wire/provider/json_members.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe {

/// Whether the model has to call tools.
enum class tool_choice_mode : uint8_t {
  unset,
  automatic,
  none,
  required, ///< any tool
  named,    ///< the tool request_parameters::tool_name
};

/// The parameters of one request. They come in OpenAI's words from the configuration's `parameters`
/// and from the client, whose values win; the configuration's own options (maxOutputTokens,
/// reasoning ...) count where neither says anything. JSON values are kept as text; "" = not given.
struct request_parameters {
  std::string temperature;
  std::string top_p;
  std::string top_k;
  std::string seed;
  std::string presence_penalty;
  std::string frequency_penalty;
  std::string stop; ///< JSON array of strings
  std::string user; ///< JSON string

  uint64_t max_tokens = 0;                                ///< of the answer; 0: not given
  tool_choice_mode tool_choice = tool_choice_mode::unset; ///< unset without tools
  std::string tool_name;
  std::optional<bool> parallel_tool_calls;

  bool json_output = false;    ///< the answer is to be JSON: response_format or responseSchema
  std::string response_schema; ///< JSON Schema of the answer; "" with json_output: any object
  std::string response_name;   ///< its name; "" = none
  bool response_strict = false;

  std::string reasoning_effort;            ///< none, minimal, low, medium, high, xhigh, max
  std::optional<int64_t> reasoning_budget; ///< tokens; 0: no reasoning, -1: as the model likes

  /// Parameters that have no member above, in the provider's own words: key and JSON value, each
  /// key once.
  json_members others;

  /// Returns the value of such a member and takes it out; "" if there is none.
  std::string take(std::string_view key);

  /// Appends `,"key":value` for what is left of `others`, but for the keys that the provider's
  /// writer decides itself, and those that the provider refuses (leave_out).
  void append_others(json_buffer& out, std::initializer_list<std::string_view> decided,
                     std::initializer_list<std::string_view> refused = {}) const;

  /// Notes that the request lacks the parameter of that name, unless it was not given anyway.
  void leave_out(std::string_view key, bool is_given = true) const;

  const model_lessons* lessons = nullptr; ///< notes what is left out; outlives this; nullptr: none
};

/// Returns whether the engine decides the member itself: `model`, `messages`, `stream`,
/// `stream_options`, `tools`.
bool is_decided_by_engine(std::string_view key);

/// Returns whether a client's parameters, a JSON object, name this stop sequence.
bool asks_to_stop_at(std::string_view parameters, std::string_view sequence);

/// Reads the parameters. Members that the engine decides itself are left out, and so is a
/// tool_choice that demands a call when calls of this turn were already run: with it the model
/// could never answer.
request_parameters read_parameters(const model_request& asked);

} // namespace troupe

// The values of a chat: messages, tools, requests, usage. Plain data, no CAF in here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "messages/fields.hpp"

namespace troupe {

/// JSON text that is passed on as it is; whoever makes one has validated it.
struct raw_json {
  std::string text;

  static constexpr auto fields() { return std::make_tuple(field("text", &raw_json::text)); }
};

/// Who speaks in a chat message; the names are OpenAI's.
enum class role : uint8_t { system, user, assistant, tool };

/// Why a model's answer or a turn ended; `to_string` gives the AI SDK's spelling.
enum class finish_reason : uint8_t { stop, length, content_filter, tool_calls, error, other };

std::string to_string(role who);
std::string to_string(finish_reason why);

/// Tokens as the provider counted them; 0 where it said nothing.
struct usage {
  uint64_t input_tokens = 0;
  uint64_t output_tokens = 0;
  uint64_t total_tokens = 0;
  uint64_t reasoning_tokens = 0;
  uint64_t cached_input_tokens = 0;

  /// Adds what another request used.
  usage& operator+=(const usage& other);

  static constexpr auto fields() {
    return std::make_tuple(field("inputTokens", &usage::input_tokens),
                           field("outputTokens", &usage::output_tokens),
                           field("totalTokens", &usage::total_tokens),
                           field("reasoningTokens", &usage::reasoning_tokens),
                           field("cachedInputTokens", &usage::cached_input_tokens));
  }
};

/// One tool as the model sees it, and where its calls go.
struct tool_definition {
  std::string name; ///< at most 64 of [A-Za-z0-9_-], unique within a snapshot
  std::string description;
  std::string input_schema; ///< JSON text of an object
  std::string server;       ///< the MCP server's configured name; empty: the client runs it
  std::string server_tool;  ///< the tool's name on that server
  bool strict = false;      ///< the model is to keep exactly to the schema

  static constexpr auto fields() {
    return std::make_tuple(field("name", &tool_definition::name),
                           field("description", &tool_definition::description),
                           field("inputSchema", &tool_definition::input_schema),
                           field("server", &tool_definition::server),
                           field("serverTool", &tool_definition::server_tool),
                           field("strict", &tool_definition::strict));
  }
};

} // namespace troupe

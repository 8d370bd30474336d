// MCP prompts and completion (specification 2025-11-25, server/prompts,
// server/utilities/completion).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/role.hpp"
#include "messages/errors.hpp"
#include "messages/mcp/mcp_prompt.hpp"
#include "messages/raw_json.hpp"

namespace troupe::mcp {

/// One page of prompts/list.
struct prompts_page {
  std::vector<prompt> prompts;
  std::string next_cursor;                ///< "" on the last page
  std::vector<std::string> left_out = {}; ///< the faults of entries that cannot be read
};

/// One message of a prompts/get result.
struct prompt_message {
  std::string role;                     ///< "user" or "assistant"
  std::string text;                     ///< the text for a model; other parts as short notes
  std::vector<message_file> files = {}; ///< of a user: its images, which have no note
};

/// A prompts/get result.
struct prompt_result {
  std::string description;
  std::vector<prompt_message> messages;
};

/// A completion/complete request: for an argument of a prompt, or a variable of a resource
/// template.
struct completion_request {
  bool of_prompt = true;
  std::string reference; ///< the prompt's name, or the template's URI
  std::string argument;
  std::string value;                          ///< the part that is already typed
  std::map<std::string, std::string> context; ///< arguments that are already known
};

/// A completion/complete result.
struct completion_result {
  std::vector<std::string> values; ///< at most 100
  uint64_t total = 0;              ///< 0 if unknown
  bool has_more = false;
};

/// Returns the params of prompts/get.
std::string prompt_params(std::string_view name, const std::map<std::string, std::string>& values);

/// The same with arguments that are JSON text of an object; empty = none.
std::string raw_prompt_params(std::string_view name, const raw_json& arguments);

/// Returns the params of completion/complete.
std::string completion_params(const completion_request& ask);

failure parse(std::string_view result, prompts_page& out);
failure parse(std::string_view result, prompt_result& out);
failure parse(std::string_view result, completion_result& out);

} // namespace troupe::mcp

// A prompt of an MCP server (specification 2025-11-25, server/prompts).
#pragma once

#include <string>
#include <vector>

#include "messages/fields.hpp"

namespace troupe::mcp {

/// An argument that a prompt takes; its value is a text.
struct prompt_argument {
  std::string name;
  std::string title;
  std::string description;
  bool required = false;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("name", &prompt_argument::name),
                           field("title", &prompt_argument::title),
                           field("description", &prompt_argument::description),
                           field("required", &prompt_argument::required));
  }
};

/// One prompt of prompts/list.
struct prompt {
  std::string name;
  std::string title;
  std::string description;
  std::vector<prompt_argument> arguments;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("name", &prompt::name), field("title", &prompt::title),
                           field("description", &prompt::description),
                           field("arguments", &prompt::arguments));
  }
};

} // namespace troupe::mcp

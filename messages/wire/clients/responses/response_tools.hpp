// The tools of a request of the Responses API.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/tool_definition.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// A tool of the client that a model sees under another name, or in another form.
struct response_tool {
  std::string shown;      ///< the name that the model sees
  std::string name;       ///< the client's name
  std::string name_space; ///< the group that the client has it in; "" = none
  bool custom = false;    ///< its input is a text: the model sees a function with the one argument
                          ///< `input`
};

/// The tools that a request brings.
struct response_tools {
  std::vector<tool_definition> tools;
  std::vector<response_tool> special; ///< those of `tools` that have another name or form
};

/// Returns the name under which a model sees a tool of a namespace: "crm__look".
std::string namespaced_tool_name(std::string_view name_space, std::string_view name);

/// Reads `tools`: functions, custom tools, and namespaces of both. Tools that OpenAI's servers run
/// are left out. @return request_invalid that names a tool
failure read_response_tools(std::string_view tools, response_tools& out);

/// Reads the `tools` of an item of the input. Those that are known already are left out: clients
/// repeat them with each request. @param place of the array, for errors
failure read_additional_tools(std::string_view tools, const std::string& place,
                              response_tools& out);

} // namespace troupe

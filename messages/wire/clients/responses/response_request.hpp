// The body of POST /v1/responses, as OpenAI's clients send it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/turn_request.hpp"
#include "messages/errors.hpp"
#include "messages/wire/clients/responses/referred_items.hpp"
#include "messages/wire/clients/responses/response_tools.hpp"

namespace troupe {

/// A response as it is asked for.
struct response_request {
  turn_request turn;        ///< without a session_id; its messages are the new ones only
  std::string instructions; ///< the system message of this response alone; "" = none
  std::string previous;     ///< previous_response_id; "" = none
  bool stream = false;
  bool store = true;                  ///< it is kept, if anything is
  std::vector<response_tool> special; ///< tools that the model sees in another form
  referred_items items;               ///< that the input names; those that were found are read
  std::string echo; ///< members of the body that the answer repeats: `,"key":value` each
};

/// Reads a body (platform.openai.com/docs/api-reference/responses/create). Its parameters are
/// written in the words of chat completions; members that mean something only at OpenAI are left
/// out; `maxToolRoundtrips` and `mcpServers` are ours. Refused, as errc::request_invalid with a
/// text that names the place: `background`, `conversation`, `prompt`, files of other servers.
/// Items that the input only names are looked up by the caller: it reads the body once more with
/// out.items as they were found.
/// @param out out.items as the last pass left them, or empty
failure parse_response_request(std::string_view body, response_request& out);

} // namespace troupe

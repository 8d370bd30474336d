// The few facts that a transport needs of the JSON-RPC messages it carries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::jsonrpc {

/// A first look at a text.
struct glance {
  std::vector<int64_t> responses; ///< the ids of results and errors; 7, 7.0 and "7" are 7
  bool refuses = false;           ///< one of them is an error
  bool strange = false;           ///< something in it is neither such a response nor a call
};

/// Looks at `text`, one message or a batch, as far as is needed. Text that is no JSON is strange,
/// unless its beginning shows otherwise. Never throws.
glance look_at(std::string_view text);

/// Returns the ids of the responses in `text`.
std::vector<int64_t> response_ids(std::string_view text);

/// The result of looking at an answer on behalf of one request.
struct closer_look {
  bool ours = false;    ///< it answers the request, be it with something that cannot be read
  bool refuses = false; ///< with an error, which may have no usable id
  int64_t code = 0;     ///< of the error
  std::string words;    ///< of the error
  std::string fault;    ///< why it is no answer; "" if it is one, or asks or tells us something
};

/// Reads the whole of `text`, which came in the answer to the request alone. An error without an id
/// that we could have given is the request's; a result is not. Never throws.
/// @param request above 0; 0 = one that nothing answers by its id
closer_look look_closer(std::string_view text, int64_t request);

/// Returns the id in a text that is no JSON but looks like a response: an object that has at least
/// begun, with a whole positive `id`, with `result` or `error`, and without `method`. 0 = it does
/// not. Strings and brackets are all that it goes by, so neither depth nor bad characters matter.
int64_t broken_response(std::string_view text);

/// Returns the request that a `notifications/cancelled` cancels, or 0.
int64_t cancelled_request(std::string_view text);

} // namespace troupe::jsonrpc

// The texts of /v1/ws (docs/websocket.md): what clients ask for, and what they are told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "messages/chat/events.hpp"
#include "messages/errors.hpp"
#include "messages/json.hpp"

namespace troupe {

/// The verb of a client's message.
enum class ws_verb : uint8_t { start, tool_results, approvals, abort, resume, leave, credit, ping };

/// One message of a client.
struct ws_command {
  ws_verb verb = ws_verb::ping;
  std::string session; ///< 1 to 256 bytes, but of a ping
  std::string turn;    ///< at most 256 bytes
  uint64_t after = 0;  ///< of resume: the last number that the client has
  uint64_t events = 0; ///< of credit, and of verbs that begin a stream with manual flow
  bool manual = false; ///< the client says how many events it takes
  std::string body;    ///< the other members as a JSON object, for the verb's own parser
};

/// Reads a message. @return request_invalid that says what is wrong, or none; `out.session` is set
/// as soon as there is one
failure parse_ws_command(std::string_view text, ws_command& out);

/// Appends {"type":"events"...} with `count` events of a batch, the first of them number `from`.
void append_ws_events(json_buffer& out, const event_batch& batch, size_t from, size_t count);

/// Consecutive events of one turn as another node has written them.
struct ws_remote_events {
  std::string turn;
  uint64_t first = 0; ///< number of the first one
  std::string lines;  ///< JSON objects, one a line
  size_t count = 0;

  /// Appends {"type":"events"...} with the next `wanted` events, at most `count`, and drops them.
  void take_frame(json_buffer& out, std::string_view session, size_t wanted);
};

/// Returns {"type":"refused"...}.
std::string ws_refused(std::string_view session, std::string_view turn, const failure& why);

/// The same with an error that is JSON already.
std::string ws_refused_with(std::string_view session, std::string_view turn,
                            std::string_view error);

/// Returns {"type":"error"...}. @param session may be ""
std::string ws_error(std::string_view session, const failure& why);

/// Returns {"type":TYPE,"session":SESSION}: "idle", "left".
std::string ws_notice(std::string_view type, std::string_view session);

} // namespace troupe

// A call that a model asks for. Plain data, no CAF in here.
#pragma once

#include <cstdint>
#include <string>

#include "messages/fields.hpp"

namespace troupe {

/// The approval that a call waits for after its turn has ended (turn_options::approval_ends_turn).
struct call_approval {
  std::string id;     ///< tool_approval_request::approval_id; empty: nothing was asked
  std::string server; ///< the server that runs the call
  std::string tool;   ///< its name on that server
  int64_t due_ms = 0; ///< from then on an answer is a denial; milliseconds since 1970, 0: never

  bool operator==(const call_approval&) const = default;

  static constexpr auto fields(auto...) {
    using self = call_approval;
    return std::make_tuple(field("id", &self::id), field("server", &self::server),
                           field("tool", &self::tool), field("dueAt", &self::due_ms));
  }
};

/// One call that a model asked for. In a history, `arguments` is always a valid JSON object.
struct tool_call {
  std::string id;
  std::string name;
  std::string arguments; ///< JSON text

  /// Opaque data that the provider wants back with the call: JSON text of an object of objects, as
  /// {"google":{"thought_signature":"..."}}; empty = nothing.
  std::string provider_metadata = {};
  call_approval approval = {}; ///< while the chat waits for the answer
  bool client_side = false;    ///< the client runs it: its part is `tool-NAME`, not `dynamic-tool`

  bool operator==(const tool_call&) const = default;

  static constexpr auto fields(auto...) {
    return std::make_tuple(field("id", &tool_call::id), field("name", &tool_call::name),
                           field("arguments", &tool_call::arguments),
                           field("providerMetadata", &tool_call::provider_metadata),
                           field("approval", &tool_call::approval),
                           field("clientSide", &tool_call::client_side));
  }
};

} // namespace troupe

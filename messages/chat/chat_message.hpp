// The messages of a chat, as a model sees them. Plain data, no CAF in here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/chat/role.hpp"
#include "messages/chat/shown_part.hpp"
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

/// An addition to a user's message, such as an MCP resource; names as in the flow documents.
struct message_extra {
  std::string type{"MCP_RESOURCE"};
  std::string name;
  std::string uri;
  std::string server_name;
  std::string content;
  std::string mime_type;

  bool operator==(const message_extra&) const = default;

  static constexpr auto fields(auto...) {
    using self = message_extra;
    return std::make_tuple(field("type", &self::type), field("name", &self::name),
                           field("uri", &self::uri), field("serverName", &self::server_name),
                           field("content", &self::content), field("mimeType", &self::mime_type));
  }
};

/// A file that goes with a message: what a user uploaded, an image that a tool answered, or a file
/// of an answer that a client brought.
struct message_file {
  std::string media_type;    ///< "image/png"
  std::string url;           ///< data:, http: or https:
  std::string filename = {}; ///< may be empty
  std::string detail = {};   ///< how closely a model looks at an image: "low", "high"; empty: auto
  uint64_t text_behind = 0;  ///< bytes of a user's text that come after the file

  bool operator==(const message_file&) const = default;

  static constexpr auto fields(auto...) {
    using self = message_file;
    return std::make_tuple(field("mediaType", &self::media_type), field("url", &self::url),
                           field("filename", &self::filename), field("detail", &self::detail),
                           field("textBehind", &self::text_behind));
  }
};

/// One message of the history that a model sees.
struct chat_message {
  role who = role::user;
  std::string text;
  std::string reasoning; ///< assistant: what the model thought, where a provider sent it
  std::vector<tool_call> tool_calls;      ///< assistant
  std::string tool_call_id;               ///< tool: which call this answers
  std::vector<message_extra> extras = {}; ///< user: goes in front of the text
  std::vector<message_file> files = {};   ///< user: uploads; tool: images; assistant: a client's
  std::string provider_metadata = {};     ///< assistant: opaque, goes back as it came; JSON object
  std::string id = {}; ///< of the client's message that this message belongs to; may be empty
  std::vector<shown_part> shown = {}; ///< no model sees it; empty where all is as usual
  bool failed = false;                ///< tool: the call failed, or was not run
  /// User: the provider refused to answer, and keeps refusing while it sees the message.
  bool refused = false;

  bool operator==(const chat_message&) const = default;

  static constexpr auto fields(auto...) {
    using self = chat_message;
    return std::make_tuple(
        field("role", &self::who), field("text", &self::text), field("reasoning", &self::reasoning),
        field("tool_calls", &self::tool_calls), field("tool_call_id", &self::tool_call_id),
        field("extras", &self::extras), field("files", &self::files),
        field("providerMetadata", &self::provider_metadata), field("id", &self::id),
        field("shown", &self::shown), field_when_given("failed", &self::failed),
        field_when_given("refused", &self::refused));
  }
};

/// Returns whether there is nothing but white space, which some providers refuse like no text.
inline bool lacks_text(std::string_view text) noexcept {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

/// Returns whether a model would learn nothing from the message: it says and calls nothing.
inline bool says_nothing(const chat_message& message) noexcept {
  return message.tool_calls.empty() && message.files.empty() && message.extras.empty() &&
         lacks_text(message.text);
}

/// Returns a user's message with this text.
inline chat_message user_message(std::string text) {
  chat_message made;
  made.text = std::move(text);
  return made;
}

} // namespace troupe

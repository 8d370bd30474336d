// Messages to the resource store: contents of MCP resources, and attachments of chats.
#pragma once

#include <string>
#include <vector>

#include "messages/errors.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// Reads a resource, from the cache where it is fresh. Answered with mcp_answer.
struct read_resource {
  std::string server;
  std::string uri;
  bool refresh = false; ///< asks the server in any case
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("server", &read_resource::server),
                           field("uri", &read_resource::uri),
                           field("refresh", &read_resource::refresh));
  }
};

/// One of a server's resources has changed, or all of them.
struct forget_resources {
  std::string server;
  std::string uri; ///< empty: all of the server
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("server", &forget_resources::server),
                           field("uri", &forget_resources::uri));
  }
};

/// A resource that goes with the next message of a chat.
struct attachment {
  std::string id;
  std::string server;
  std::string uri;
  std::string name;
  std::string mime_type;
  bool loading = true;
  std::string text;  ///< what the model will be told; "[Binary content: ...]" for binary parts
  std::string error; ///< why it could not be read; empty: no error
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("id", &attachment::id), field("server", &attachment::server),
                           field("uri", &attachment::uri), field("name", &attachment::name),
                           field("mimeType", &attachment::mime_type),
                           field("loading", &attachment::loading), field("text", &attachment::text),
                           field("error", &attachment::error));
  }
};

/// Attaches a resource to a chat. Answered at once with an `attachment` that is still loading.
struct add_attachment {
  std::string session_id;
  std::string server;
  std::string uri;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("sessionId", &add_attachment::session_id),
                           field("server", &add_attachment::server),
                           field("uri", &add_attachment::uri));
  }
};

/// Removes an attachment. Answered with a failure: not_found when the chat has no such attachment.
struct remove_attachment {
  std::string session_id;
  std::string id;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("sessionId", &remove_attachment::session_id),
                           field("id", &remove_attachment::id));
  }
};

/// Answered with attachment_list. With `consume`: waits, at most 10 s, until none is loading, and
/// clears the list.
struct list_attachments {
  std::string session_id;
  bool consume = false;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("sessionId", &list_attachments::session_id),
                           field("consume", &list_attachments::consume));
  }
};

/// Answers list_attachments.
struct attachment_list {
  std::vector<attachment> attachments;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("attachments", &attachment_list::attachments));
  }
};

/// Whether a chat has attachments. The store tells the hub, so that turns of other chats need not
/// ask.
struct attachment_news {
  std::string session_id;
  bool any = false;
  static constexpr auto fields(auto...) {
    return std::make_tuple(field("session_id", &attachment_news::session_id),
                           field("any", &attachment_news::any));
  }
};

} // namespace troupe

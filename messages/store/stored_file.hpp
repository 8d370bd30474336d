// Files that owners have uploaded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/fields.hpp"

namespace troupe {

/// The record of an uploaded file; its bytes lie beside it.
struct stored_file {
  std::string id;         ///< "file-" and 24 characters of [0-9a-v]
  std::string owner;      ///< empty in single-user mode
  std::string filename;   ///< as the client called it; never a part of a path
  std::string media_type; ///< "image/png", by what the bytes are where that can be seen
  std::string purpose;    ///< "user_data", or as the client said
  uint64_t bytes = 0;
  int64_t created_at = 0;         ///< seconds since 1970
  int64_t expires_at = 0;         ///< the same; 0: never. Means nothing while a chat uses the file
  std::vector<std::string> chats; ///< scoped ids of kept chats that have used it

  static constexpr auto fields(auto...) {
    using self = stored_file;
    return std::make_tuple(field("id", &self::id), field("owner", &self::owner),
                           field("filename", &self::filename),
                           field("mediaType", &self::media_type), field("purpose", &self::purpose),
                           field("bytes", &self::bytes), field("createdAt", &self::created_at),
                           field("expiresAt", &self::expires_at), field("chats", &self::chats));
  }
};

/// Where clients find the files.
inline constexpr std::string_view files_path = "/v1/files/";

/// The beginning of every file's id.
inline constexpr std::string_view file_id_prefix = "file-";

/// Returns whether `text` looks as an id of a file does.
bool is_file_id(std::string_view text) noexcept;

/// Returns the id in what a client gives for a stored file: "file-ID", "/v1/files/file-ID", or that
/// with "/content"; "" for anything else.
std::string_view file_id_in(std::string_view given) noexcept;

/// Returns the ids of the stored files that a message has, in their order.
std::vector<std::string_view> file_ids_in(const chat_message& message);

/// Returns the url of message_file for what a client gives: "/v1/files/file-ID" for a stored file,
/// else the same.
std::string file_url(std::string given);

} // namespace troupe

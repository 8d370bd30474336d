// A kept chat as text.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns a name for the file of a chat's transcript, in the folder that the program is in: the id
/// without what could lead elsewhere. @param id of any bytes, also a server's
std::string transcript_name(std::string_view id);

/// Returns a chat as Markdown: its title, and each message below the name of who wrote it. Nothing
/// is taken out of the texts. @param body what GET /v1/conversations/{id} answers
std::string markdown_transcript(std::string_view body);

/// The end of a kept chat, as it is shown to who continues with it.
struct last_exchange {
  std::string title;
  std::string question; ///< of the user; "": none
  std::string answer;   ///< Markdown; "": none
  std::string state;    ///< of the last turn, as "interrupted"; "": there was none
};

/// @param body what GET /v1/conversations/{id} answers
last_exchange read_last_exchange(std::string_view body);

/// Returns what tells the model how to answer in the chat; "": nothing does.
/// @param body what GET /v1/conversations/{id} answers
std::string system_message_of(std::string_view body);

} // namespace troupe

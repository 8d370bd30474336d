// A file of a message, in the form in which models can read it.
#pragma once

#include <string>
#include <string_view>

#include "messages/chat/chat_message.hpp"

namespace troupe {

/// Models that take images read PNG, JPEG, GIF and WebP. Everything else has every later request of
/// the chat refused, since the file stays in the history.
struct model_file {
  bool is_image = false;
  std::string_view url; ///< of an image: http:, https:, or data: with one of the four types
  std::string text;     ///< of anything else: the file's own text, or a note that it was attached
  std::string made_url; ///< holds `url` where the file's own had to be written anew

  model_file() = default;
  model_file(const model_file&) = delete;
  model_file& operator=(const model_file&) = delete;
};

/// Makes `out` of the file, which outlives it. The bytes of a data: URL decide where they are
/// known: a PNG that is called a JPEG goes as a PNG. Texts, XML and JSON go as text, and so does an
/// SVG, of which a model sees the XML, at most 64 KiB. Texts end without a line end.
/// @param images whether the model takes images
void read_file(const message_file& file, bool images, model_file& out);

/// Returns the note for a file of an answer: models take none there. "[file chart.png image/png]"
std::string file_note(const message_file& file);

/// Returns whether read_file() makes an image of the file for a model that takes images.
bool is_readable_image(const message_file& file);

} // namespace troupe

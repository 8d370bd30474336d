// A file of a message, in the form in which models can read it.
#pragma once

#include <string>
#include <string_view>

#include "messages/chat/chat_message.hpp"
#include "messages/chat/model_config.hpp"

namespace troupe {

/// Models that take images read PNG, JPEG, GIF and WebP; those that take documents read PDF, those
/// that take audio hear WAV and MP3.
/// Everything else has every later request of the chat refused, since the file stays in the
/// history.
struct model_file {
  bool is_image = false;
  bool is_document = false;
  bool is_audio = false; ///< always with its data
  std::string_view url;  ///< of these: http:, https:, or data: with one of the types, in base64
  std::string text;      ///< of anything else: the file's own text, or a note that it was attached
  std::string made_url;  ///< holds `url` where the file's own had to be written again

  /// Returns whether it goes to the model as a file.
  bool is_taken() const noexcept { return is_image || is_document || is_audio; }

  /// Returns the type of a data: URL ("image/png") and its base64 text; "" for other URLs.
  std::string_view type() const noexcept;
  std::string_view data() const noexcept;

  model_file() = default;
  model_file(const model_file&) = delete;
  model_file& operator=(const model_file&) = delete;
};

/// Makes `out` of the file, which outlives it. The bytes of a data: URL decide where they are
/// known: a PNG that is called a JPEG goes as a PNG. Texts, XML and JSON go as text, and so does an
/// SVG, of which a model sees the XML, at most 64 KiB. Texts end without a line end.
/// @param taken what the model takes
void read_file(const message_file& file, const file_kinds& taken, model_file& out);

/// Returns what the model takes.
inline file_kinds files_of(const model_config& model) noexcept {
  return {model.images, model.documents, model.audio};
}

/// Returns the note for a file of an answer: models take none there. "[file chart.png image/png]"
std::string file_note(const message_file& file);

/// Returns whether a model that takes files of all kinds gets this one as a file.
bool is_readable_file(const message_file& file);

} // namespace troupe

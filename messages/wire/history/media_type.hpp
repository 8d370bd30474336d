// The media types of files, as far as models can tell them apart.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

inline constexpr std::string_view svg_type = "image/svg+xml";
inline constexpr std::string_view any_image_type = "image/*";
inline constexpr std::string_view pdf_type = "application/pdf";
inline constexpr std::string_view wav_type = "audio/wav";
inline constexpr std::string_view mp3_type = "audio/mpeg";

/// Returns a media type in small letters and without parameters, under its registered name:
/// "IMAGE/JPG;q=1" is "image/jpeg".
std::string plain_media_type(std::string_view written);

// The functions below take what plain_media_type() returns.

/// Returns whether every model that takes images reads it: PNG, JPEG, GIF, WebP.
bool is_readable_image_type(std::string_view type);

/// Returns whether every model that takes sounds hears it: WAV, MP3.
bool is_readable_audio_type(std::string_view type);

/// Returns whether it is a text that a model can read as it is.
bool is_text_type(std::string_view type);

/// Returns whether it says nothing: "", "image/*", "application/octet-stream".
bool is_vague(std::string_view type);

/// Returns the type that a file has by its first bytes, of those that are often given a wrong one;
/// "" if it is none of them.
std::string_view media_type_in(std::string_view bytes);

/// Returns the type of an image by the end of its URL's path; "" if it is not to be seen.
std::string_view media_type_of_path(std::string_view url);

} // namespace troupe

// Data URLs: RFC 2397.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace troupe {

/// The parts of a data URL, as they are written.
struct data_url_parts {
  std::string_view head; ///< media type and parameters, without ";base64"
  std::string_view data;
  bool is_base64 = false;
};

/// Takes "data:[<type>][;<parameters>][;base64],<data>" apart; nothing for another URL. The scheme
/// and the mark may be in capitals.
std::optional<data_url_parts> split_data_url(std::string_view url);

/// Returns the bytes of a data URL; nothing for another URL or for data that is broken. Base64 may
/// be of either alphabet, with or without padding, with line ends, and percent-encoded.
std::optional<std::string> data_url_bytes(std::string_view url);

/// Returns whether `text` is base64 as RFC 4648 (4) writes it, padded, and not empty.
bool is_strict_base64(std::string_view text) noexcept;

/// Returns "data:<type>;base64,<data>".
std::string make_data_url(std::string_view media_type, std::string_view bytes);

} // namespace troupe

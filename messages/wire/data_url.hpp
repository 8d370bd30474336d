// Data URLs: RFC 2397.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace troupe {

/// Returns the bytes of "data:[<type>][;<parameters>][;base64],<data>"; nothing for another URL or
/// for data that is broken. Base64 may be of either alphabet, with or without padding.
std::optional<std::string> data_url_bytes(std::string_view url);

} // namespace troupe

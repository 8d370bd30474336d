// A text of an answer that cannot be read as it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe {

/// A copy of a text in which broken UTF-8 is repaired, the only defect of JSON that can be.
class repaired_json {
public:
  explicit repaired_json(std::string_view text);

  /// Returns the copy, which json_padding readable bytes follow. Valid as long as this lives.
  std::string_view text() const noexcept { return std::string_view{bytes_}.substr(0, size_); }

private:
  std::string bytes_;
  size_t size_;
};

/// Returns the failure of an answer with a text that is no JSON.
failure no_json(std::string_view text);

} // namespace troupe

// Where a page of a list of conversations begins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// The start of a page: behind the conversation with this place and key.
struct list_cursor {
  int64_t place = INT64_MAX;
  int64_t key = INT64_MAX;
};

/// Returns the text that clients get.
std::string text_of(const list_cursor& at);

/// Reads the output of text_of(); false for any other text.
bool read_list_cursor(std::string_view text, list_cursor& out);

} // namespace troupe

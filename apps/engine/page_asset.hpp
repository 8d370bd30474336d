// The files of the web page, as a program has them built in.
#pragma once

#include <string_view>

namespace troupe {

/// One file of the page. All views are of static storage.
struct page_asset {
  std::string_view path; ///< "/" or "/page/assets/NAME"
  std::string_view type; ///< for Content-Type
  std::string_view etag; ///< of the content, without quotes
  std::string_view identity;
  std::string_view gzip; ///< empty: not there, or no shorter
  std::string_view br;   ///< the same with Brotli
};

} // namespace troupe

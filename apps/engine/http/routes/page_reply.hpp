// Answers with a file of the page: which coding, which headers.
#pragma once

#include <string_view>

#include "apps/engine/http/requests/http_route.hpp"
#include "apps/engine/page_asset.hpp"

namespace troupe {

/// How one file is sent to one client.
struct page_coding {
  std::string_view name; ///< for Content-Encoding; "" = as it is
  std::string_view bytes;
};

/// Returns whether an Accept header asks for HTML by name: browsers do, programs do not.
bool accepts_html(std::string_view accept);

/// Returns the shortest form of `file` that an Accept-Encoding header allows.
page_coding choose_coding(const page_asset& file, std::string_view accept_encoding);

/// Returns whether an If-None-Match header names `etag`, also as a weak one.
bool names_etag(std::string_view if_none_match, std::string_view etag);

/// Returns the file of `config` at `path`, or nullptr.
const page_asset* find_page_asset(const engine_config& config, std::string_view path);

/// Sends `file`, or 304 to who has it.
void reply_with_page(http_call& in, const page_asset& file);

} // namespace troupe

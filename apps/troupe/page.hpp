// The web page that was built into this program.
#pragma once

#include <span>
#include <string_view>

#include "apps/engine/page_asset.hpp"

namespace troupe {

/// Returns the files of the page; none where the program was built without it. Of static storage.
std::span<const page_asset> page_files();

/// Returns why there is no page, for people; "" where there is one.
std::string_view why_no_page();

} // namespace troupe

// Entities of HTML, as Markdown has them.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Returns what an entity stands for, as terminal_text(): of those with names only what has a
/// meaning in HTML; one that is not known, as it is written. @param entity "&amp;", "&#233;",
/// "&#xe9;"
std::string entity_text(std::string_view entity);

} // namespace troupe

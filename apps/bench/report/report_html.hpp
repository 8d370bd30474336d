// Pieces of the HTML report. Everything that is put in is escaped.
#pragma once

#include <string>
#include <string_view>

namespace troupe::bench {

/// Returns text as it may stand between tags and in quoted attributes.
std::string html_escaped(std::string_view text);

/// Returns JSON as it may stand in a script element: no tag can end or begin in it.
std::string json_in_html(std::string_view json);

/// The page's fixed parts, put into the program at build time (cmake/TroupeEmbed.cmake).
namespace page {

extern const std::string_view style;
extern const std::string_view script;

// uPlot, whose licence goes with it; empty where it was not there at build time.
extern const std::string_view plot_style;
extern const std::string_view plot_script;
extern const std::string_view plot_licence;

} // namespace page

} // namespace troupe::bench

// The fixed parts of the HTML report, put into the program at build time (cmake/TroupeEmbed.cmake).
#pragma once

#include <string_view>

namespace troupe::bench::page {

extern const std::string_view style;
extern const std::string_view script;

// uPlot, whose licence goes with it; empty where it was not there at build time.
extern const std::string_view plot_style;
extern const std::string_view plot_script;
extern const std::string_view plot_licence;

} // namespace troupe::bench::page

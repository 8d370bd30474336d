# troupe-bench: its library (apps/bench) and its program (apps/troupe_bench). Left out where there is
# no HdrHistogram, neither the system's nor that of tests/libraries.
set(TROUPE_LIBRARIES "${PROJECT_SOURCE_DIR}/tests/libraries/node_modules")

function(troupe_find_hdr)
  find_path(TROUPE_INC_hdr hdr/hdr_histogram.h)
  find_library(TROUPE_LIB_hdr hdr_histogram)
  if(TROUPE_INC_hdr AND TROUPE_LIB_hdr)
    add_library(hdr SHARED IMPORTED GLOBAL)
    set_target_properties(hdr PROPERTIES
      IMPORTED_LOCATION "${TROUPE_LIB_hdr}"
      INTERFACE_INCLUDE_DIRECTORIES "${TROUPE_INC_hdr}/hdr")
    return()
  endif()
  set(folder "${TROUPE_LIBRARIES}/native-hdr-histogram/HdrHistogram_c/src")
  if(EXISTS "${folder}/hdr_histogram.c")
    add_library(hdr STATIC "${folder}/hdr_histogram.c")
    target_include_directories(hdr SYSTEM PUBLIC "${folder}")
    target_compile_options(hdr PRIVATE -w)
    target_link_libraries(hdr PUBLIC m)
  endif()
endfunction()

troupe_find_hdr()
if(NOT TARGET hdr)
  message(STATUS "troupe-bench is left out: no HdrHistogram. Get it by: cd tests/libraries && npm ci")
  return()
endif()

troupe_library(bench
  SOURCES apps/bench
  PUBLIC troupe_messages CLI11::CLI11
  PRIVATE troupe_engine troupe_transport hdr simdjson::simdjson)

# The parts of the HTML report. Without the library of its plots a report has tables only.
include(TroupeEmbed)
set(page "${PROJECT_SOURCE_DIR}/apps/bench/report/page")
set(plots "${TROUPE_LIBRARIES}/uplot")
if(NOT EXISTS "${plots}/LICENSE")
  message(STATUS
    "HTML reports of troupe-bench have no plots. Get them by: cd tests/libraries && npm ci")
endif()
troupe_embed(troupe_bench troupe::bench::page
  style "${page}/page.css" script "${page}/page.js"
  plot_style "${plots}/dist/uPlot.min.css" plot_script "${plots}/dist/uPlot.iife.min.js"
  plot_licence "${plots}/LICENSE")

if(EXISTS "${PROJECT_SOURCE_DIR}/apps/troupe_bench/main.cpp")
  troupe_program(troupe-bench SOURCES apps/troupe_bench
    LINK troupe_allocator troupe_bench troupe_engine troupe_transport CLI11::CLI11)
endif()

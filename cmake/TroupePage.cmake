# The web page (apps/page) in the program: built by Vite where node and npm are, and left out with a
# word where they are not. Defines troupe_page(<target>).
#
#   TROUPE_PAGE=AUTO  with the page if it can be built (the default)
#   TROUPE_PAGE=ON    an error if it cannot
#   TROUPE_PAGE=OFF   without
#
# In script mode it writes the table of a built page: cmake -DDIST=... -DOUT=... -P THIS
if(CMAKE_SCRIPT_MODE_FILE)
  include("${CMAKE_CURRENT_LIST_DIR}/TroupePageTable.cmake")
  return()
endif()

set(TROUPE_PAGE AUTO CACHE STRING "The web page in the program: AUTO, ON or OFF")
set_property(CACHE TROUPE_PAGE PROPERTY STRINGS AUTO ON OFF)
set(TROUPE_PAGE_SOURCE "${PROJECT_SOURCE_DIR}/apps/page")
set(TROUPE_PAGE_MODULE "${CMAKE_CURRENT_LIST_FILE}")

# troupe_page_tools(<reason>): leaves in <reason> why the page cannot be built, or "". Installs the
# packages of the lock file, unless these very ones are installed.
function(troupe_page_tools reason)
  find_program(TROUPE_NODE node)
  find_program(TROUPE_NPM npm)
  if(NOT TROUPE_NODE OR NOT TROUPE_NPM)
    set(${reason} "there is no node with npm (Debian: apt-get install nodejs npm)" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND "${TROUPE_NODE}" -p "process.versions.node.split('.')[0]"
    OUTPUT_VARIABLE major OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT major MATCHES "^[0-9]+$" OR major LESS 18)
    set(${reason} "node must be 18 or newer" PARENT_SCOPE)
    return()
  endif()
  set(lock "${TROUPE_PAGE_SOURCE}/package-lock.json")
  set(stamp "${TROUPE_PAGE_SOURCE}/node_modules/.installed-lock")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${lock}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${lock}" "${stamp}"
    RESULT_VARIABLE differs OUTPUT_QUIET ERROR_QUIET)
  if(differs EQUAL 0)
    return()
  endif()
  message(STATUS "Installing the node packages of the web page")
  set(log "${PROJECT_BINARY_DIR}/page/npm.log")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/page")
  execute_process(COMMAND "${TROUPE_NPM}" ci --no-audit --no-fund --prefer-offline
    WORKING_DIRECTORY "${TROUPE_PAGE_SOURCE}" TIMEOUT 300 RESULT_VARIABLE failed
    OUTPUT_FILE "${log}" ERROR_FILE "${log}")
  if(NOT failed EQUAL 0)
    set(${reason} "its node packages cannot be installed; is there a network? See ${log}"
      PARENT_SCOPE)
    return()
  endif()
  configure_file("${lock}" "${stamp}" COPYONLY)
endfunction()

# troupe_page(<target>): gives the program page_files() and why_no_page() of apps/troupe/page.hpp.
function(troupe_page target)
  set(out "${PROJECT_BINARY_DIR}/page")
  set(reason "")
  if(NOT TROUPE_PAGE)
    set(reason "it was left out: -DTROUPE_PAGE=OFF")
  else()
    troupe_page_tools(reason)
    if(reason AND NOT TROUPE_PAGE STREQUAL "AUTO")
      message(FATAL_ERROR "The web page cannot be built: ${reason}.")
    endif()
  endif()
  if(reason)
    message(STATUS "The program has no web page: ${reason}.")
    set(table "${out}/no_page.cpp")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/no_page.cpp.in" "${table}" @ONLY)
  else()
    set(table "${out}/page_table.cpp")
    set(TROUPE_HAS_PAGE ON PARENT_SCOPE)
    troupe_page_build("${out}" "${table}")
  endif()
  target_sources(${target} PRIVATE "${table}")
  set_source_files_properties("${table}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# troupe_page_build(<out> <table>): one command, which runs when a source or the lock has changed.
function(troupe_page_build out table)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${TROUPE_PAGE_SOURCE}/src/*")
  list(FILTER sources EXCLUDE REGEX "[.]test[.]ts$")
  find_program(TROUPE_GZIP gzip)
  find_program(TROUPE_BROTLI brotli)
  if(NOT TROUPE_BROTLI)
    message(STATUS "The web page is sent with gzip only: there is no brotli (apt-get install brotli)")
  endif()
  add_custom_command(OUTPUT "${table}"
    COMMAND "${CMAKE_COMMAND}" -E env --unset=NODE_OPTIONS "${TROUPE_NODE}"
            node_modules/vite/bin/vite.js build --logLevel error --outDir "${out}/dist" --emptyOutDir
    COMMAND "${CMAKE_COMMAND}" "-DDIST=${out}/dist" "-DOUT=${table}" "-DGZIP=${TROUPE_GZIP}"
            "-DBROTLI=${TROUPE_BROTLI}" -P "${TROUPE_PAGE_MODULE}"
    DEPENDS ${sources} "${TROUPE_PAGE_SOURCE}/index.html" "${TROUPE_PAGE_SOURCE}/vite.config.ts"
            "${TROUPE_PAGE_SOURCE}/package-lock.json" "${TROUPE_PAGE_MODULE}"
            "${PROJECT_SOURCE_DIR}/cmake/TroupePageTable.cmake"
    WORKING_DIRECTORY "${TROUPE_PAGE_SOURCE}"
    COMMENT "Building the web page"
    VERBATIM)
endfunction()

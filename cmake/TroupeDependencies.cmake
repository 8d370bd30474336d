# Debian's packages as imported targets. CAF, libev and libcurl ship no CMake files there.
# Read by the build, and once more by find_package(troupe), where only the library counts.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
if(NOT CMAKE_FIND_PACKAGE_NAME STREQUAL "troupe")
  find_package(spdlog REQUIRED)
  find_package(CLI11 REQUIRED)
endif()
find_package(CURL REQUIRED)
find_package(libwebsockets CONFIG REQUIRED)
find_package(SQLite3 REQUIRED)
# libpq alone; CMake looks for the server's headers only when it is asked to.
find_package(PostgreSQL REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)

function(troupe_import target library header)
  if(TARGET ${target})
    return()
  endif()
  find_library(TROUPE_LIB_${library} ${library} REQUIRED)
  find_path(TROUPE_INC_${library} ${header} REQUIRED)
  add_library(${target} SHARED IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION "${TROUPE_LIB_${library}}"
    INTERFACE_INCLUDE_DIRECTORIES "${TROUPE_INC_${library}}")
endfunction()

find_package(CAF CONFIG QUIET COMPONENTS core)
troupe_import(CAF::core caf_core caf/all.hpp)
set_property(TARGET CAF::core APPEND PROPERTY INTERFACE_LINK_LIBRARIES Threads::Threads)
troupe_import(EV::ev ev ev.h)
if(NOT CMAKE_FIND_PACKAGE_NAME STREQUAL "troupe")
  troupe_import(utf8proc::utf8proc utf8proc utf8proc.h)
  troupe_import(YAML::yaml yaml yaml.h)
  troupe_import(EDIT::edit edit histedit.h)
  troupe_import(MD4C::md4c md4c md4c.h)
endif()

# What programs that serve link against malloc: an allocator whose threads share no lock. Sanitizers
# bring their own, and a library leaves the choice to the program that embeds it.
if(NOT CMAKE_FIND_PACKAGE_NAME STREQUAL "troupe")
  add_library(troupe_allocator INTERFACE)
  if(NOT TROUPE_SANITIZE)
    find_library(TROUPE_LIB_jemalloc jemalloc REQUIRED)
    target_link_libraries(troupe_allocator INTERFACE "${TROUPE_LIB_jemalloc}")
  endif()
endif()

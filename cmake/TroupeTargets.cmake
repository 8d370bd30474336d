# With TROUPE_UNITY each room (folder) of a target is compiled as one unit: most of the time of a small
# file is the reading of CAF's headers and the making of the same templates (docs/decisions/0024).
option(TROUPE_UNITY "Compile the sources of a room as one unit" ON)
set(TROUPE_APART "" CACHE STRING
  "Rooms whose sources are compiled one by one, for who changes them: actors/session;actors/turn")

# troupe_units(<target>): groups its sources into units, one per folder.
function(troupe_units target)
  if(NOT TROUPE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    file(RELATIVE_PATH room "${PROJECT_SOURCE_DIR}" "${folder}")
    string(MAKE_C_IDENTIFIER "${room}" unit)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${unit}")
    if(room IN_LIST TROUPE_APART)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# troupe_library(<name> SOURCES <folder>... [PUBLIC <target>...] [PRIVATE <target>...])
# Makes the target troupe_<name> of all *.cpp below the folders; includes read "folder/file.hpp".
function(troupe_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  set(globs ${arg_SOURCES})
  list(TRANSFORM globs APPEND "/*.cpp")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${globs})
  add_library(troupe_${name} STATIC ${sources})
  target_include_directories(troupe_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/troupe>
    $<INSTALL_INTERFACE:include>)
  target_link_libraries(troupe_${name}
    PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:troupe_flags>)
  target_compile_features(troupe_${name} PUBLIC cxx_std_20)
  troupe_units(troupe_${name})
endfunction()

# troupe_program(<name> SOURCES <folder> LINK <target>...)
function(troupe_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${arg_SOURCES}/*.cpp")
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${arg_LINK} troupe_flags)
  troupe_units(${name})
endfunction()

# troupe_test(<name> SOURCES <folder>... LINK <target>...): one Catch2 binary of all *.cpp below the
# folders: one ctest per test case in the dev preset, eight for each program elsewhere.
function(troupe_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  set(globs ${arg_SOURCES})
  list(TRANSFORM globs APPEND "/*.cpp")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${globs})
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${arg_LINK} troupe_flags Catch2::Catch2WithMain)
  # Half of the time of a test's compiler went into optimising it; what it tests stays optimised.
  target_compile_options(${name} PRIVATE -O0)
  troupe_units(${name})
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    catch_discover_tests(${name} TEST_PREFIX "${name}: " PROPERTIES TIMEOUT 120)
    return()
  endif()
  # A process takes 20 ms to start, a sanitized one up to half a second; most tests need less.
  set(parts 8)
  foreach(part RANGE 1 ${parts})
    add_test(NAME "${name}: part ${part} of ${parts}"
      COMMAND "${PROJECT_SOURCE_DIR}/tests/part.sh" $<TARGET_FILE:${name}> ${part} ${parts})
    set_tests_properties("${name}: part ${part} of ${parts}" PROPERTIES TIMEOUT 600 COST 30)
  endforeach()
endfunction()

# One interface target that carries the warnings, the sanitizers and the language level.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(TROUPE_CCACHE ccache)
if(TROUPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${TROUPE_CCACHE}")
endif()

# A fast linker, where there is one: what a change of one file costs is mostly the linking.
find_program(TROUPE_LINKER NAMES mold ld.lld)

add_library(troupe_flags INTERFACE)
target_compile_features(troupe_flags INTERFACE cxx_std_20)
target_compile_options(troupe_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  # g++ 12 sees these in correct code of std::string at -O3 (GCC PR 105329, 105562, 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${TROUPE_WERROR}>:-Werror>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-braces>)

target_compile_options(troupe_flags INTERFACE $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include
  ${PROJECT_SOURCE_DIR}/cmake/fmt_in_library.hpp>>)
# libsimdjson chooses by the processor. What its header has for others is a third of it, and not used but with -march.
if(NOT CMAKE_CXX_FLAGS MATCHES "-march=")
  target_compile_definitions(troupe_flags INTERFACE $<BUILD_INTERFACE:SIMDJSON_IMPLEMENTATION_ICELAKE=0>
    $<BUILD_INTERFACE:SIMDJSON_IMPLEMENTATION_HASWELL=0> $<BUILD_INTERFACE:SIMDJSON_IMPLEMENTATION_WESTMERE=0>)
endif()

# g++ collects its garbage from 128 MiB on; a unit needs more, and a seventh of the time went into that.
target_compile_options(troupe_flags INTERFACE
  $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=524288>>)

if(TROUPE_LINKER)
  get_filename_component(linker "${TROUPE_LINKER}" NAME)
  string(REPLACE "ld.lld" "lld" linker "${linker}")
  target_link_options(troupe_flags INTERFACE $<BUILD_INTERFACE:-fuse-ld=${linker}>)
endif()

if(TROUPE_SANITIZE)
  # -fno-sanitize=null: CAF's own headers bind references to null (init_fun_factory.hpp). The other three cost g++
  # a fifth of its time and more (docs/decisions/0041); clang keeps them, in the fuzzers.
  target_compile_options(troupe_flags INTERFACE
    -fsanitize=${TROUPE_SANITIZE} -fno-sanitize=null
    $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize=alignment,vptr,object-size>
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(troupe_flags INTERFACE -fsanitize=${TROUPE_SANITIZE})
  # At another address than it was linked for, each start would correct three million places first: half a
  # second, and tests start hundreds of programs.
  if(TROUPE_SANITIZE MATCHES "address")
    target_link_options(troupe_flags INTERFACE -no-pie)
  endif()
endif()

# Writes the source that holds a built page: the assembler takes the files in as they are, so that
# nothing of them is compiled. DIST: the folder of the page; OUT: the source; GZIP, BROTLI: programs,
# where there are any.
set(asm "")
set(rows "")
set(names "")

# add_bytes(<file>): appends the file to the assembly; leaves its view, as C++, in `view`.
macro(add_bytes file)
  list(LENGTH names count)
  set(name "troupe_page_${count}")
  list(APPEND names "${name}")
  string(APPEND asm
    "  \".hidden ${name}\\n.global ${name}\\n${name}:\\n.incbin \\\"${file}\\\"\\n\"\n"
    "  \".hidden ${name}_end\\n.global ${name}_end\\n${name}_end:\\n.byte 0\\n\"\n")
  set(view "{${name}, ${name}_end}")
endmacro()

# add_packed(<program> <ending> <argument>...): packs `file`; the view is empty where that is no gain.
macro(add_packed program ending)
  set(view "{}")
  if(NOT "${program}" MATCHES "NOTFOUND$" AND NOT "${program}" STREQUAL "")
    execute_process(COMMAND "${program}" ${ARGN} "${file}" OUTPUT_FILE "${file}.${ending}"
      COMMAND_ERROR_IS_FATAL ANY)
    file(SIZE "${file}.${ending}" packed_size)
    if(packed_size LESS size)
      add_bytes("${file}.${ending}")
    endif()
  endif()
endmacro()

set(type_html "text/html; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_svg "image/svg+xml")

file(GLOB old "${DIST}/page/assets/*.gz" "${DIST}/page/assets/*.br" "${DIST}/*.gz" "${DIST}/*.br")
if(old)
  file(REMOVE ${old})
endif()
file(GLOB_RECURSE files RELATIVE "${DIST}" "${DIST}/*")
list(SORT files)
foreach(relative IN LISTS files)
  set(file "${DIST}/${relative}")
  string(REGEX MATCH "[^.]*$" kind "${relative}")
  if(NOT DEFINED type_${kind})
    message(FATAL_ERROR "The page has a file of an unknown kind: ${relative}")
  endif()
  set(path "/${relative}")
  if(relative STREQUAL "index.html")
    set(path "/")
  endif()
  file(SHA256 "${file}" hash)
  string(SUBSTRING "${hash}" 0 20 hash)
  file(SIZE "${file}" size)
  add_bytes("${file}")
  set(identity "${view}")
  add_packed("${GZIP}" gz -9nc)
  set(gzip "${view}")
  add_packed("${BROTLI}" br -q 11 -c)
  string(APPEND rows
    "    {\"${path}\", \"${type_${kind}}\", \"${hash}\", view_of${identity},\n"
    "     view_of${gzip}, view_of${view}},\n")
endforeach()

set(declared "")
foreach(name IN LISTS names)
  string(APPEND declared "extern const char ${name}[], ${name}_end[];\n")
endforeach()

file(WRITE "${OUT}" "// Written by cmake/TroupePageTable.cmake.
#include \"apps/troupe/page.hpp\"

__asm__(\".pushsection .rodata\\n\"
${asm}  \".popsection\\n\");

extern \"C\" {
#pragma GCC visibility push(hidden)
${declared}#pragma GCC visibility pop
}

namespace troupe {

namespace {

/// The bytes between two marks of the assembler.
struct view_of {
  const char* from = nullptr;
  const char* to = nullptr;

  operator std::string_view() const {
    return {from, static_cast<size_t>(to - from)};
  }
};

} // namespace

std::span<const page_asset> page_files() {
  static const page_asset files[] = {
${rows}  };
  return files;
}

std::string_view why_no_page() {
  return {};
}

} // namespace troupe
")

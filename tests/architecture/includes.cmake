# Checks the direction of all includes: cmake -DROOT=<source folder> -P includes.cmake
#
#   messages <- actors, transport <- apps <- tests, bench
cmake_minimum_required(VERSION 3.25)

set(problems 0)

# forbid(<files> <includes> [<exceptions>]): no file below ROOT whose path matches <files> may include
# what matches <includes>, unless its path matches <exceptions>. All three are regular expressions.
macro(forbid files includes)
  list(APPEND rule_files "${files}")
  list(APPEND rule_includes "${includes}")
  list(APPEND rule_exceptions "${ARGN}^$")
endmacro()

forbid("^(messages|transport|actors|apps)/" "^(tests|bench)/")
forbid("^(messages|transport|actors)/" "^apps/")
forbid("^(messages|transport)/" "^actors/")
forbid("^(messages|actors)/" "^transport/")
forbid("^(messages|actors|apps)/" "^(libwebsockets[.]h|curl/|ev[.]h|ev[+][+][.]h)")
forbid("^(messages|transport|actors)/" "^(caf/io|CLI/|spdlog/)")
forbid("^(messages|transport|actors|apps)/" "^sqlite3" "^transport/sqlite/|")
forbid("^(messages|transport|actors)/" "^simdjson" "^messages/wire/.*[.]cpp$|")
forbid("^transport/" "^caf/" "^transport/loop/loop_scheduler|")
forbid("^(messages|transport|actors|apps)/" "^[.][.]?/")

list(LENGTH rule_files count)
math(EXPR last "${count} - 1")
file(GLOB_RECURSE files RELATIVE "${ROOT}"
  "${ROOT}/messages/*.?pp" "${ROOT}/transport/*.?pp" "${ROOT}/actors/*.?pp" "${ROOT}/apps/*.?pp")
foreach(file IN LISTS files)
  file(STRINGS "${ROOT}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]*).*$" "\\1" include "${line}")
    foreach(i RANGE ${last})
      list(GET rule_files ${i} only)
      list(GET rule_includes ${i} bad)
      list(GET rule_exceptions ${i} except)
      if(file MATCHES "${only}" AND include MATCHES "${bad}" AND NOT file MATCHES "${except}")
        message(NOTICE "${file} must not include ${include}")
        math(EXPR problems "${problems} + 1")
      endif()
    endforeach()
  endforeach()
endforeach()

list(LENGTH files checked)
if(checked EQUAL 0)
  message(FATAL_ERROR "there are no sources below ${ROOT}")
elseif(problems GREATER 0)
  message(FATAL_ERROR "${problems} forbidden includes")
endif()
message(STATUS "${checked} files, no forbidden include")

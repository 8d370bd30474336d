# Comments name their subject: cmake -DROOT=<source folder> -P comments.cmake
#
# No line of a comment in product sources may begin with one of these words, whose noun the reader
# would have to find first.
cmake_minimum_required(VERSION 3.25)

set(words "What|Whoever|Those|Of|So")
set(problems 0)
file(GLOB_RECURSE files RELATIVE "${ROOT}"
  "${ROOT}/messages/*.?pp" "${ROOT}/transport/*.?pp" "${ROOT}/actors/*.?pp" "${ROOT}/apps/*.?pp")
list(FILTER files EXCLUDE REGEX "/node_modules/")
foreach(file IN LISTS files)
  # Not file(STRINGS ...): it drops texts that are not ASCII. Semicolons would cut the list.
  file(READ "${ROOT}/${file}" text)
  string(REPLACE ";" "," text "\n${text}")
  string(REGEX MATCHALL "\n *///? (${words})[^A-Za-z0-9_][^\n]*" lines "${text}")
  foreach(line IN LISTS lines)
    string(STRIP "${line}" line)
    message(NOTICE "${file}: begin with a noun of the code: ${line}")
    math(EXPR problems "${problems} + 1")
  endforeach()
endforeach()

list(LENGTH files checked)
if(checked EQUAL 0)
  message(FATAL_ERROR "there are no sources below ${ROOT}")
elseif(problems GREATER 0)
  message(FATAL_ERROR "${problems} comments without a noun")
endif()
message(STATUS "${checked} files, each comment begins with a noun")

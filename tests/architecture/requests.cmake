# Tests of the wire make their requests to providers in one place, where a strict server of the
# provider looks at each: cmake -DROOT=<source folder> -P requests.cmake
cmake_minimum_required(VERSION 3.25)

set(own "wire/provider/(accepted_request|provider_switch[.]test)[.]cpp$") # these look at each themselves
file(GLOB_RECURSE files RELATIVE "${ROOT}/tests/messages" "${ROOT}/tests/messages/*.[ch]pp")
foreach(file IN LISTS files)
  file(READ "${ROOT}/tests/messages/${file}" text)
  if(text MATCHES "(->|[.])make_request\\(" AND NOT file MATCHES "${own}")
    message(SEND_ERROR "tests/messages/${file}: make requests with accepted_request()")
  endif()
endforeach()

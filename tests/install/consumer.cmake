# Installs the library of BUILD below WORK, then builds SOURCE against it and runs it there.
cmake_minimum_required(VERSION 3.25)

# step(<what> <command>...): ends the test with the command's output when it fails.
function(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what}: ${code}\n${text}")
  endif()
  message(STATUS "${what}: ok")
endfunction()

set(flags "${FLAGS}")
if(SANITIZE)
  string(APPEND flags " -fsanitize=${SANITIZE} -fno-sanitize=null")
endif()

file(REMOVE_RECURSE "${WORK}")
step("install" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix"
  --component library)
step("configure" "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${SOURCE}" -B "${WORK}/build"
  "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DCMAKE_CXX_COMPILER=${COMPILER}"
  "-DCMAKE_CXX_FLAGS=${flags}")
step("build" "${CMAKE_COMMAND}" --build "${WORK}/build")
step("run" "${WORK}/build/consumer")

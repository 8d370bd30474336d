# Puts texts into a program at build time.
#
# troupe_embed(<target> <namespace> <name> <file> [<name> <file>...])
# Gives the target a source that defines `const std::string_view <namespace>::<name>` for each; a
# header of its own declares them. The view of a file that is not there is empty.
#
# In script mode it writes that source: cmake -DOUT=... -DNAMESPACE=... "-DPAIRS=..." -P THIS
if(CMAKE_SCRIPT_MODE_FILE)
  set(source "#include <string_view>\n\nnamespace ${NAMESPACE} {\n\n")
  while(PAIRS)
    list(POP_FRONT PAIRS name file)
    set(text "")
    if(EXISTS "${file}")
      file(READ "${file}" text)
    endif()
    string(APPEND source "extern const std::string_view ${name};\n"
      "const std::string_view ${name}{R\"troupe(${text})troupe\"};\n\n")
  endwhile()
  file(WRITE "${OUT}" "${source}} // namespace ${NAMESPACE}\n")
  return()
endif()

set(TROUPE_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(troupe_embed target namespace)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/embedded/${target}.cpp")
  set(pairs ${ARGN})
  set(depends)
  list(LENGTH pairs count)
  math(EXPR last "${count} - 1")
  foreach(at RANGE 1 ${last} 2)
    list(GET pairs ${at} file)
    if(EXISTS "${file}")
      list(APPEND depends "${file}")
    endif()
  endforeach()
  add_custom_command(OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" "-DOUT=${out}" "-DNAMESPACE=${namespace}" "-DPAIRS=${pairs}"
            -P "${TROUPE_EMBED_SCRIPT}"
    DEPENDS ${depends} "${TROUPE_EMBED_SCRIPT}"
    COMMENT "Embedding texts into ${target}"
    VERBATIM)
  target_sources(${target} PRIVATE "${out}")
endfunction()

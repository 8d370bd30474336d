# Checks the direction of all includes: cmake -DROOT=<source folder> -P includes.cmake
#
#   messages <- actors, transport <- apps <- tests, bench
#
# and the one between the rooms of a folder.
cmake_minimum_required(VERSION 3.25)

set(problems 0)

# forbid(<files> <includes> [<exceptions>]): no file below ROOT whose path matches <files> may include
# what matches <includes>, unless its path matches <exceptions>. All three are regular expressions.
macro(forbid files includes)
  list(APPEND rule_files "${files}")
  list(APPEND rule_includes "${includes}")
  list(APPEND rule_exceptions "${ARGN}^$")
endmacro()

# rooms(<folder> [FACE <file>...] ROOMS <room>...): a room includes only itself, rooms named before it
# and the files that lie in the folder itself; these include no room, but for the face's. So there can
# be no circle of rooms.
macro(rooms folder)
  cmake_parse_arguments(arg "" "" "FACE;ROOMS" ${ARGN})
  list(APPEND room_folders "${folder}")
  set("rooms of ${folder}" ${arg_ROOMS})
  set("face of ${folder}" ${arg_FACE})
endmacro()

forbid("^(messages|transport|actors|apps)/" "^(tests|bench)/")
forbid("^(messages|transport|actors)/" "^apps/")
forbid("^(messages|transport)/" "^actors/")
forbid("^(messages|actors)/" "^transport/")
forbid("^(messages|actors|apps)/" "^(libwebsockets[.]h|curl/|ev[.]h|ev[+][+][.]h)")
forbid("^(messages|transport|actors)/" "^(caf/io|CLI/|spdlog/)")
forbid("^(messages|transport|actors|apps)/" "^utf8proc" "^apps/troupe/(markdown|terminal)/|")
forbid("^(messages|transport|actors|apps)/" "^sqlite3" "^transport/sqlite/|")
forbid("^(messages|transport|actors|apps)/" "^libpq" "^transport/postgres/connection/|")
forbid("^(messages|transport|actors)/" "^simdjson" "^messages/wire/.*[.]cpp$|")
forbid("^(messages|transport|actors|apps)/" "^yaml[.]h" "^apps/troupe/mcp_import/|")
forbid("^(messages|transport|actors|apps)/" "^histedit[.]h" "^apps/troupe/editor/|")
forbid("^(messages|transport|actors|apps)/" "^md4c[.]h" "^apps/troupe/markdown/|")
forbid("^transport/" "^caf/" "^transport/loop/loop_scheduler|")
forbid("^(messages|transport|actors|apps)/" "^[.][.]?/")
# Values know nothing of the texts that they come from.
forbid("^messages/" "^messages/wire/" "^messages/wire/|")
# What decides about a turn is plain code: it can be tested without an actor.
forbid("^actors/turn/" "^caf/")
# Actors of MCP servers know nothing of chats, and only the wiring knows all kinds of actors.
forbid("^actors/(mcp_connection|mcp_hub|store|telemetry|tool_output|cluster)/"
       "^actors/(turn|model|session|session_hub|resources)/")
forbid("^actors/" "^actors/(mcp_hub|store|telemetry|tool_output|resources|session_hub|cluster)/"
       "^actors/(mcp_hub|store|telemetry|tool_output|resources|session_hub|cluster)/|")
# Programs use the engine's face, values, the scripted model, and transport/ as a library.
set(programs "^apps/(troupe|troupe_bench|bench|conformance|demo_mcp)/")
forbid("${programs}" "^actors/")
forbid("${programs}" "^apps/engine/.*/")
forbid("${programs}" "^apps/engine/(engine_impl|actor_setup)")
forbid("^apps/(engine|model)/" "${programs}")

rooms(messages ROOMS chat mcp cluster store ports interfaces wire)
rooms(messages/wire FACE providers.hpp providers.cpp
  ROOMS json history mcp provider openai_chat openai_responses anthropic gemini ollama
  clients/ui clients clients/completions clients/claude clients/ollama clients/responses clients/conversation)
rooms(actors ROOMS turn model session session_hub resources mcp_connection mcp_hub store tool_output
  files telemetry cluster)
rooms(transport ROOMS loop http http_client websocket http_server child mcp store sqlite/database sqlite/rows sqlite
  postgres/connection postgres)
rooms(apps/engine FACE engine_impl.hpp engine_impl.cpp engine_members.cpp engine_cluster.cpp engine_nodes.cpp engine_shutdown.cpp keys.cpp cluster.cpp
  ROOMS configuration access library http/sinks http/requests http/nodes http/websocket http/files http/clients
  http/openapi http/routes/conversations http/routes/mcp http/routes/status http/routes http public)
rooms(apps/model FACE model_addresses.cpp model_addresses.hpp
  model_shard.cpp model_shard.hpp running_answer.cpp running_answer.hpp script_names.cpp scripted_model.cpp
  ROOMS script dialect chat anthropic responses gemini ollama)
rooms(apps/bench FACE targets.hpp targets.cpp
  ROOMS plan target target/http measure verdict options load report)
rooms(apps/troupe ROOMS terminal editor markdown chat conversations mcp_import mcp)

# room_of(<folder> <path> <out>): the place of the path's room among those of the folder, -1 for the
# folder itself, and 1000 for its face.
function(room_of folder path out)
  string(LENGTH "${folder}/" begin)
  string(SUBSTRING "${path}" ${begin} -1 rest)
  get_filename_component(room "${rest}" DIRECTORY)
  set(place -1)
  if(room STREQUAL "")
    if(rest IN_LIST "face of ${folder}")
      set(place 1000)
    endif()
  else()
    while(NOT room STREQUAL "")
      list(FIND "rooms of ${folder}" "${room}" place)
      if(NOT place EQUAL -1)
        break()
      endif()
      get_filename_component(room "${room}" DIRECTORY)
    endwhile()
    if(place EQUAL -1)
      set(place 999) # a room that no list has
    endif()
  endif()
  set(${out} ${place} PARENT_SCOPE)
endfunction()

function(complain text)
  message(NOTICE "${text}")
  math(EXPR problems "${problems} + 1")
  set(problems ${problems} PARENT_SCOPE)
endfunction()

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
        complain("${file} must not include ${include}")
      endif()
    endforeach()
    foreach(folder IN LISTS room_folders)
      if(file MATCHES "^${folder}/" AND include MATCHES "^${folder}/")
        room_of("${folder}" "${file}" from)
        room_of("${folder}" "${include}" to)
        if(from EQUAL 999)
          complain("${file} lies in a room that the list of ${folder}/ does not have")
        elseif(to GREATER from)
          complain("${file} must not include ${include}: rooms of ${folder}/ include earlier ones only")
        endif()
      endif()
    endforeach()
  endforeach()
endforeach()

# A room is one concept; with more files than this it is two.
if(NOT DEFINED MOST)
  set(MOST 45)
endif()
if(NOT DEFINED FOLDERS)
  set(FOLDERS messages transport actors apps tests bench)
endif()
foreach(folder IN LISTS FOLDERS)
  file(GLOB_RECURSE all RELATIVE "${ROOT}" "${ROOT}/${folder}/*")
  list(FILTER all EXCLUDE REGEX "/(fixtures|corpus|node_modules|dist)/")
  list(TRANSFORM all REPLACE "/[^/]*$" "")
  set(seen "")
  foreach(room IN LISTS all)
    if(room IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${room}")
    set(same ${all})
    list(FILTER same INCLUDE REGEX "^${room}$")
    list(LENGTH same held)
    if(held GREATER MOST)
      complain("${room}/ holds ${held} files: split it by concept")
    endif()
  endforeach()
endforeach()

list(LENGTH files checked)
if(checked EQUAL 0)
  message(FATAL_ERROR "there are no sources below ${ROOT}")
elseif(problems GREATER 0)
  message(FATAL_ERROR "${problems} problems")
endif()
message(STATUS "${checked} files, no forbidden include")

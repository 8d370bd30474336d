# The drawings of drawings.sh: awk -v out=FOLDER -f drawings.awk INCLUDES.CMAKE LINES
# LINES has the includes of the tree, as grep prints them: FILE:#include "FILE".

# Takes in the words of rooms(<folder> [FACE <file>...] ROOMS <room>...).
function learn(words, count,    i, kind) {
  folders[++folder_count] = folder = words[1]
  for (i = 2; i <= count; i++) {
    if (words[i] == "FACE" || words[i] == "ROOMS") kind = words[i]
    else if (kind == "FACE") is_face[folder, words[i]] = 1
    else {
      place[folder, words[i]] = ++room_count[folder]
      room_name[folder, room_count[folder]] = words[i]
    }
  }
}

# Returns the room of a path below a folder: "the face", or "" for the other files of the folder itself.
function room_of(folder, path,    rest) {
  rest = substr(path, length(folder) + 2)
  if ((folder, rest) in is_face) return "the face"
  while (match(rest, /\/[^\/]*$/)) {
    rest = substr(rest, 1, RSTART - 1)
    if ((folder, rest) in place) return rest
  }
  return ""
}

# Says whether a way leads from one room to another; rooms include earlier ones only, so it ends.
function leads(folder, from, to,    i, next_room) {
  if ((folder, from, to) in arrow) return 1
  for (i = 1; i <= room_count[folder]; i++) {
    next_room = room_name[folder, i]
    if ((folder, from, next_room) in arrow && leads(folder, next_room, to)) return 1
  }
  return 0
}

# Says whether an arrow is needed, or a longer way leads there as well.
function is_needed(folder, from, to,    i, via) {
  for (i = 1; i <= room_count[folder]; i++) {
    via = room_name[folder, i]
    if (via != to && (folder, from, via) in arrow && leads(folder, via, to)) return 0
  }
  return 1
}

function draw(folder,    file, name, i, k, from, last) {
  name = folder
  gsub(/\//, "_", name)
  file = out "/" name ".dot"
  print "// " folder "/: who includes whom; an arrow that a longer way replaces is left out." > file
  print "// Made by scripts/drawings.sh: do not edit." > file
  print "digraph \"" folder "\" {" > file
  print "  nodesep=0.25; ranksep=0.3;" > file
  print "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f4f4f1\", color=\"#8a8a80\"," > file
  print "        fontname=\"Helvetica\", fontsize=12, height=0.3];" > file
  print "  edge [color=\"#8a8a80\", arrowsize=0.6];" > file
  last = room_count[folder]
  if (folder in has_face) {
    room_name[folder, ++last] = "the face"
    print "  \"the face\" [fillcolor=\"#dfe9f2\"];" > file
  }
  for (i = 1; i < last + (last == room_count[folder]); i++) print "  \"" room_name[folder, i] "\";" > file
  for (i = 1; i <= last; i++) {
    from = room_name[folder, i]
    for (k = 1; k <= room_count[folder]; k++)
      if ((folder, from, room_name[folder, k]) in arrow && is_needed(folder, from, room_name[folder, k]))
        print "  \"" from "\" -> \"" room_name[folder, k] "\";" > file
  }
  print "}" > file
  close(file)
}

FNR == NR {
  sub(/^[ \t]*#.*/, "")
  if ($0 ~ /^rooms\(/) text = ""
  else if (text == "") next
  text = text " " $0
  if (text !~ /\)/) next
  gsub(/^ *rooms\(|\).*$/, "", text)
  learn(words, split(text, words, " "))
  text = ""
  next
}

{
  file = substr($0, 1, index($0, ":") - 1)
  split($0, parts, "\"")
  for (i = 1; i <= folder_count; i++) {
    folder = folders[i]
    if (index(file, folder "/") != 1) continue
    from = room_of(folder, file)
    if (from == "the face") has_face[folder] = 1
    if (index(parts[2], folder "/") != 1) continue
    to = room_of(folder, parts[2])
    if (from != "" && to != "" && from != to && to != "the face") arrow[folder, from, to] = 1
  }
}

END {
  for (i = 1; i <= folder_count; i++) draw(folders[i])
}

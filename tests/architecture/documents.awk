# The rules of documents.sh: awk -f documents.awk LIST DOCUMENT...
# LIST has a path of the tree on each line.

BEGIN {
  names = "(^|[^A-Za-z0-9_.\\/<-])(messages|actors|transport|apps|tests|bench|docs|scripts|cmake)" \
    "\\/[A-Za-z0-9_.\\/-]*[.](cpp|hpp|md|mjs|tsx?|css|cmake|sh|json|awk|txt)"
}

function complain(text) {
  if (text in said) return
  said[text] = 1
  print text
  problems++
}

# Takes in a path, the same without the file's ending, each folder of it, and each end of it.
function learn(path,    parts, count, i, folder) {
  if (path ~ /[.][a-z]+$/) known[substr(path, 1, match(path, /[.][a-z]+$/) - 1)] = 1
  count = split(path, parts, "/")
  folder = ""
  for (i = 1; i <= count; i++) {
    folder = i == 1 ? parts[1] : folder "/" parts[i]
    if (folder in known && known[folder] == 2) continue
    known[folder] = 2
    learn_ends(folder)
  }
}

function learn_ends(path,    at) {
  ends[path] = 1
  while ((at = index(path, "/")) > 0) {
    path = substr(path, at + 1)
    ends[path] = 1
  }
}

# Returns a path without "." and "..", "" for the top itself.
function plain(path,    parts, count, kept, i, depth, out) {
  count = split(path, parts, "/")
  depth = 0
  for (i = 1; i <= count; i++) {
    if (parts[i] == "" || parts[i] == ".") continue
    if (parts[i] == ".." && depth > 0) depth--
    else kept[++depth] = parts[i]
  }
  out = ""
  for (i = 1; i <= depth; i++) out = out (i == 1 ? "" : "/") kept[i]
  return out
}

function folder_of(path) {
  return path ~ /\// ? substr(path, 1, match(path, /[^\/]*$/) - 2) : ""
}

function below(folder, path) {
  return plain(folder == "" ? path : folder "/" path)
}

# Returns the anchor that a heading has on the web.
function slug(heading,    text, kept, i, c) {
  text = tolower(heading)
  sub(/^#+ +/, "", text)
  sub(/ +#* *$/, "", text)
  while (match(text, /\]\([^)]*\)/)) text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
  kept = ""
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (c ~ /[a-z0-9_-]/) kept = kept c
    else if (c == " ") kept = kept "-"
  }
  return kept
}

function look_at_link(target,    page, anchor, at) {
  if (target ~ /^[a-z]+:/) return
  sub(/ +".*$/, "", target)
  anchor = ""
  if ((at = index(target, "#")) > 0) {
    anchor = substr(target, at + 1)
    target = substr(target, 1, at - 1)
  }
  page = target == "" ? FILENAME : below(folder_of(FILENAME), target)
  if (FILENAME == "docs/decisions/README.md") linked[page] = 1
  if (page != "" && !(page in known)) complain(where() "no file " page)
  else if (anchor != "") wanted[where() page "#" anchor] = page "#" anchor
}

function look_at_path(path,    top) {
  if (path !~ /^[A-Za-z0-9_.\/*-]+$/ || path ~ /^[\/.]/ || path ~ /(^|\/)[A-Z_]+(\/|$)/) return
  if (path ~ /^x[.]/) return # stands for any name
  sub(/\/$/, "", path)
  top = path
  sub(/\/.*/, "", top)
  if (path ~ /\// && top ~ /^(messages|actors|transport|apps|tests|bench|docs|scripts|cmake)$/) {
    if (!matches(path, known) && !matches(below(folder_of(FILENAME), path), known))
      complain(where() "no file " path)
  } else if (path ~ /\.(cpp|hpp|md|mjs|tsx|css|cmake|sh)$/) {
    if (!matches(path, ends)) complain(where() "no file " path)
  }
}

# Files that a line names without backticks, in commands too.
function look_at_names(line,    path) {
  while (match(line, names)) {
    path = substr(line, RSTART, RLENGTH)
    line = substr(line, RSTART + RLENGTH)
    sub(/^[^a-z]/, "", path)
    if (line !~ /^[A-Za-z0-9_*\/-]/ && !(path in known) && !(below(folder_of(FILENAME), path) in known))
      complain(where() "no file " path)
  }
}

# Says whether a set has a path; "*" stands for any text.
function matches(path, set,    pattern, one) {
  if (path !~ /\*/) return path in set
  pattern = path
  gsub(/\./, "[.]", pattern)
  gsub(/\*/, "[^/]*", pattern)
  for (one in set)
    if (one ~ ("^" pattern "$")) return 1
  return 0
}

function where() {
  return FILENAME ":" FNR ": "
}

# The room that a table names, by a link to its README or by its path.
function learn_named(row,    part, folder) {
  folder = folder_of(FILENAME)
  while (match(row, /\]\([^)]+\/README[.]md\)|`[a-z0-9_\/]+`/)) {
    part = substr(row, RSTART, RLENGTH)
    row = substr(row, RSTART + RLENGTH)
    gsub(/^\]\(|\/README[.]md\)$|`/, "", part)
    named[below(folder, part)] = 1
  }
}

function look_at_cells(row,    cells, count, i) {
  gsub(/\\[|]/, "/", row)
  count = split(row, cells, "|")
  for (i = 1; i <= count; i++)
    if (length(cells[i]) > 300) complain(where() "a cell of more than 300 characters")
}

# What is known of a document when all of it was read.
function end_document(name, lines) {
  if (name ~ /^docs\/[^\/]*[.]md$/) {
    if (contents == 0) complain(name ": no line of contents (Sections: [...](#...)) below the title")
    if (contents > 3) complain(name ": more than three lines of contents")
    if (!has_example) complain(name ": no example in the first 40 lines")
  }
  if (name ~ /^docs\/decisions\/[0-9]/) {
    records[name] = 1
    if (lines > 60) complain(name ": more than 60 lines")
  }
  contents = has_example = in_contents = 0
}

NR == FNR {
  learn($0)
  if ($0 ~ /^(messages|actors|transport|apps)\/.*\/[^\/]*[.][ch]pp$/ && folder_of($0) ~ /\//) rooms[folder_of($0)] = 1
  next
}

FNR == 1 && !told++ {
  while ((getline line < pages) > 0) {
    at = match(line, /docs\/[a-z0-9_-]*[.]md$/)
    if (!(substr(line, at) in known)) complain(substr(line, 1, at - 1) " no file " substr(line, at))
  }
}

FNR == 1 {
  fenced = 0
  end_document(document, last)
  document = FILENAME
}
{ last = FNR }
FNR <= 5 && /^Sections: \[[^\]]*\]\(#/ { in_contents = 1 }
in_contents && /^$/ { in_contents = 0 }
in_contents { contents++ }
FNR <= 40 && /^    [^ ]/ { has_example = 1 }
/^\|/ && FILENAME ~ /^docs\// { look_at_cells($0) }
/^\|/ && FILENAME ~ /^(messages|actors|transport|apps)\/(.*\/)?README[.]md$/ { learn_named($0) }
/^ *```/ { fenced = !fenced; next }
{ look_at_names($0) }
fenced || /^    / { next }

/^#+ / {
  anchor = FILENAME "#" slug($0)
  if (anchor in anchors) anchor = anchor "-" anchors[anchor]++
  anchors[anchor] = 1
}

/<a id="/ {
  line = $0
  while (match(line, /<a id="[^"]*/)) {
    anchors[FILENAME "#" substr(line, RSTART + 7, RLENGTH - 7)] = 1
    line = substr(line, RSTART + RLENGTH)
  }
}

{
  line = $0
  if (line ~ /^`[A-Za-z0-9_.\/-]+`.*:$/) sub(/^`[^`]*`/, "", line) # the page itself has the file below
  while (match(line, /`[^`]+`/)) {
    look_at_path(substr(line, RSTART + 1, RLENGTH - 2))
    line = substr(line, RSTART + RLENGTH)
  }
  line = $0
  while (match(line, /\]\([^)]+\)/)) {
    look_at_link(substr(line, RSTART + 2, RLENGTH - 3))
    line = substr(line, RSTART + RLENGTH)
  }
}

END {
  end_document(document, last)
  for (one in rooms)
    if (!(one in named)) complain(one "/: no table of a README above names this room")
  for (one in records)
    if (!(one in linked)) complain(one ": docs/decisions/README.md does not name it")
  for (one in wanted)
    if (!(wanted[one] in anchors)) complain(substr(one, 1, index(one, ": ") + 1) "no heading for " wanted[one])
  if (problems > 0) {
    print problems " problems"
    exit 1
  }
}

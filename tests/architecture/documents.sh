#!/bin/sh
# Checks what the documents say about the tree: documents.sh ROOT
#
# - A link leads to a file or a folder, and its #anchor to a heading there.
# - A path in backticks exists, with or without the ending of its file. One that begins with a top
#   folder is read from the top or from the document's folder; another one may be the end of a path.
# - A page that a document or a source names (docs/page.md) exists.
# - A room of sources is named in a table of a README above it.
# - A page of docs/ begins with at most three lines of contents and has an example in its first 40
#   lines. Cells of tables have at most 300 characters.
# - A decision has at most 60 lines, and a place in the index.
LC_ALL=C
export LC_ALL
here=$(cd -- "$(dirname -- "$0")" && pwd) || exit
cd -- "$1" || exit

# The tree's own files: not what is built or installed there. Of the broken trees beside this script
# only their folders are known, unless one of them is the ROOT.
tree() {
  find . \( -name .git -o -name node_modules -o -name dist -o -path ./build -o -path ./.cache \) -prune \
    -o -path './tests/architecture/broken*' -print -prune -o -type f -print | sed 's|^\./||' | sort
}

list=$(mktemp) || exit
trap 'rm -f -- "$list" "$list.pages"' EXIT
tree >"$list"
grep '\.[cht]pp$\|\.tsx\?$' "$list" | xargs grep -Hno 'docs/[a-z0-9_-]*\.md' >"$list.pages" 2>/dev/null
grep '\.md$' "$list" | xargs awk -v pages="$list.pages" -f "$here/documents.awk" "$list"

#include "apps/troupe/editor/seen_keys.hpp"

#include <algorithm>
#include <cwchar>
#include <string_view>

#include <histedit.h>

#include "apps/troupe/terminal/seen_character.hpp"

namespace troupe {

namespace {

struct typed_line {
  explicit typed_line(EditLine* edit) {
    const auto* line = el_wline(edit);
    text = {line->buffer, static_cast<size_t>(line->lastchar - line->buffer)};
    cursor = static_cast<size_t>(line->cursor - line->buffer);
  }

  std::wstring_view text; ///< until the line is changed
  size_t cursor = 0;
};

/// Returns the place itself, or the beginning of the character that it is inside of.
size_t border_before(std::wstring_view text, size_t at) {
  return at == text.size() ? at : seen_character_begin(text, at + 1);
}

/// The same with the character's end.
size_t border_after(std::wstring_view text, size_t at) {
  return at == 0 ? at : seen_character_end(text, at - 1);
}

unsigned char move_to(EditLine* edit, size_t from, size_t to) {
  el_cursor(edit, static_cast<int>(to) - static_cast<int>(from));
  return CC_CURSOR;
}

unsigned char leave_back(EditLine* edit, wint_t) {
  const typed_line line{edit};
  return move_to(edit, line.cursor, border_before(line.text, line.cursor));
}

unsigned char leave_on(EditLine* edit, wint_t) {
  const typed_line line{edit};
  return move_to(edit, line.cursor, border_after(line.text, line.cursor));
}

size_t& noted(EditLine* edit) {
  void* data = nullptr;
  el_wget(edit, EL_CLIENTDATA, &data);
  return static_cast<noted_cursor*>(data)->at;
}

unsigned char note(EditLine* edit, wint_t) {
  noted(edit) = typed_line{edit}.cursor;
  return CC_ARGHACK; // a number in front is for the next key
}

unsigned char go_to_noted(EditLine* edit, wint_t) {
  return move_to(edit, typed_line{edit}.cursor, noted(edit));
}

/// Ctrl-D ends an empty line.
unsigned char note_or_end(EditLine* edit, wint_t key) {
  return typed_line{edit}.text.empty() ? CC_EOF : note(edit, key);
}

/// Deletes the characters, whole ones, between the noted place and the cursor.
unsigned char delete_noted(EditLine* edit, wint_t) {
  const typed_line line{edit};
  const auto [least, most] = std::minmax(noted(edit), line.cursor);
  const auto begin = border_before(line.text, least);
  const auto end = border_after(line.text, most);
  move_to(edit, line.cursor, end);
  el_wdeletestr(edit, static_cast<int>(end - begin));
  return CC_REFRESH;
}

using function = unsigned char (*)(EditLine*, wint_t);

void add(EditLine* edit, const wchar_t* name, function what) {
  el_wset(edit, EL_ADDFN, name, L"For what is seen as one character", what);
}

void bind(EditLine* edit, const wchar_t* key, const wchar_t* name) {
  el_wset(edit, EL_BIND, key, name, nullptr);
}

/// Has keys stand for others, one after the other. An error of one ends the chain.
template <class... Keys>
void chain(EditLine* edit, const wchar_t* others, Keys... keys) {
  (el_wset(edit, EL_BIND, L"-s", keys, others, nullptr), ...);
}

} // namespace

void bind_seen_keys(editline* edit) {
  add(edit, L"troupe-leave-back", &leave_back);
  add(edit, L"troupe-leave-on", &leave_on);
  add(edit, L"troupe-note", &note);
  add(edit, L"troupe-note-or-end", &note_or_end);
  add(edit, L"troupe-go-to-noted", &go_to_noted);
  add(edit, L"troupe-delete-noted", &delete_noted);
  // Links of the chains: sequences behind a character that no key has to itself. libedit's
  // functions are used as they are, for they alone know a number in front (Alt-3 Left) and keep
  // deleted words.
  bind(edit, L"^\\p", L"ed-prev-char");
  bind(edit, L"^\\n", L"ed-next-char");
  bind(edit, L"^\\b", L"ed-prev-word");
  bind(edit, L"^\\f", L"em-next-word");
  bind(edit, L"^\\m", L"em-set-mark");
  bind(edit, L"^\\k", L"em-kill-region");
  bind(edit, L"^\\B", L"troupe-leave-back");
  bind(edit, L"^\\F", L"troupe-leave-on");
  bind(edit, L"^\\M", L"troupe-note");
  bind(edit, L"^\\E", L"troupe-note-or-end");
  bind(edit, L"^\\N", L"troupe-go-to-noted");
  bind(edit, L"^\\K", L"troupe-delete-noted");
  chain(edit, L"^\\p^\\B", L"^B", L"\\e[D", L"\\eOD");
  chain(edit, L"^\\n^\\F", L"^F", L"\\e[C", L"\\eOC");
  chain(edit, L"^\\b^\\B", L"\\eb", L"\\e[1;5D");
  chain(edit, L"^\\f^\\F", L"\\ef", L"\\e[1;5C");
  chain(edit, L"^\\M^\\p^\\K", L"^H", L"^?");
  chain(edit, L"^\\M^\\n^\\K", L"\\e[3~");
  chain(edit, L"^\\E^\\n^\\K", L"^D");
  chain(edit, L"^\\M^\\b^\\B^\\m^\\N^\\k", L"^W", L"\\e^H", L"\\e^?");
  chain(edit, L"^\\M^\\f^\\F^\\m^\\N^\\k", L"\\ed");
}

} // namespace troupe

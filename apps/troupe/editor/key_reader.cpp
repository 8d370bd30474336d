#include "apps/troupe/editor/key_reader.hpp"

#include <algorithm>
#include <array>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

constexpr std::string_view paste_begin = "\x1b[200~";
constexpr std::string_view paste_end = "\x1b[201~";
constexpr char escape = '\x1b';

/// Alt-Enter, and Shift-Enter as kitty's protocol and xterm's modifyOtherKeys write it.
constexpr std::array<std::string_view, 4> new_line_keys{"\x1b\r", "\x1b\n", "\x1b[13;2u",
                                                        "\x1b[27;2;13~"};

/// Returns what a message takes of pasted bytes.
std::string pasted_text(std::string_view bytes) {
  std::string out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto c = bytes[i];
    if (c == '\r')
      out.push_back('\n');
    if (c == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n')
      ++i;
    if (c == '\n' || c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f))
      out.push_back(c);
  }
  std::string whole;
  append_utf8(whole, out);
  return whole;
}

/// Returns how many bytes a character has that begins so.
size_t length_of(char first) {
  const auto lead = static_cast<unsigned char>(first);
  return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
}

/// @param text a valid character
char32_t code_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  char32_t code = text.size() == 1 ? lead : lead & (0x7Fu >> text.size());
  for (const char c : text.substr(1))
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  return code;
}

} // namespace

void key_reader::clear() {
  bytes_.clear();
  pasting_ = false;
  searched_ = 0;
}

bool key_reader::next(typed_key& out, bool quiet) {
  out = {};
  if (pasting_)
    return next_paste(out);
  if (bytes_.empty())
    return false;
  bool taken = false;
  if (bytes_[0] == escape && (next_sequence(out, quiet, taken) || !taken))
    return taken;
  if (pasting_)
    return next_paste(out);
  return next_character(out, quiet);
}

/// Takes the sequences that are known here.
/// @param taken whether a key was made @return false with taken: it is none of them, or a paste
bool key_reader::next_sequence(typed_key& out, bool quiet, bool& taken) {
  taken = true;
  if (bytes_.starts_with(paste_begin)) {
    bytes_.erase(0, paste_begin.size());
    pasting_ = true;
    return false;
  }
  for (const auto each : new_line_keys)
    if (bytes_.starts_with(each)) {
      bytes_.erase(0, each.size());
      out.what = typed_key::kind::new_line;
      return true;
    }
  const auto may_become = [&](std::string_view whole) { return whole.starts_with(bytes_); };
  taken = quiet || !(may_become(paste_begin) ||
                     std::any_of(new_line_keys.begin(), new_line_keys.end(), may_become));
  return false;
}

bool key_reader::next_paste(typed_key& out) {
  const auto end = bytes_.find(paste_end, searched_);
  if (end == std::string::npos) {
    searched_ = bytes_.size() - std::min(bytes_.size(), paste_end.size() - 1);
    return false;
  }
  out.what = typed_key::kind::paste;
  out.text = pasted_text(std::string_view{bytes_}.substr(0, end));
  bytes_.erase(0, end + paste_end.size());
  pasting_ = false;
  searched_ = 0;
  return true;
}

bool key_reader::next_character(typed_key& out, bool quiet) {
  if (bytes_.size() < length_of(bytes_[0]) && !quiet)
    return false;
  const auto unit = utf8_at(bytes_, 0);
  out.code = unit.valid ? code_of(std::string_view{bytes_}.substr(0, unit.bytes)) : U'\uFFFD';
  bytes_.erase(0, unit.bytes);
  if (out.code == 0 || (out.code >= 0x80 && out.code < 0xA0))
    return next(out, quiet); // no key sends these
  return true;
}

} // namespace troupe

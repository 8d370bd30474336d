#include "messages/store/search_words.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "messages/store/search_letters.hpp"
#include "messages/utf8.hpp"

namespace troupe {

namespace {

/// Returns the code point of a valid character.
char32_t code_of(std::string_view character) {
  const auto byte = [character](size_t at) { return static_cast<uint8_t>(character[at]); };
  if (character.size() == 1)
    return byte(0);
  char32_t out = byte(0) & (0x7FU >> character.size());
  for (size_t i = 1; i < character.size(); ++i)
    out = out << 6 | (byte(i) & 0x3FU);
  return out;
}

/// A character of a text, with the marks that it is composed with.
struct read_letter {
  search_letter letter;
  size_t end = 0;
};

/// The folded letter of each byte of ASCII: most characters of most texts are ASCII.
using ascii_letters = std::array<search_letter, 0x80>;

const ascii_letters& folded_ascii() {
  static const auto made = [] {
    ascii_letters out;
    for (char32_t code = 0; code < out.size(); ++code)
      out[code] = fold_letter(code);
    return out;
  }();
  return made;
}

/// Reads one character. Broken bytes are a gap.
read_letter read_one(std::string_view text, size_t at) {
  const auto unit = utf8_at(text, at);
  const auto end = at + unit.bytes;
  return {unit.valid ? fold_letter(code_of(text.substr(at, unit.bytes))) : search_letter{}, end};
}

/// Returns whether the next character may make another one of this: not of Han and of whole
/// syllables of Hangul, the most frequent ones of a run, and of few letters.
bool may_join(search_letter one) {
  const auto code = one.code;
  if (one.kind == letter_kind::unspaced && code >= 0xAC00 && code <= 0xD7A3)
    return (code - 0xAC00) % 28 == 0;
  if (one.kind == letter_kind::unspaced)
    return code < 0x4E00 || code > 0x9FFF;
  return code == 0x433 || code == 0x438 || code == 0x43A || code == 0x443 || code == 0x456;
}

read_letter read_at(std::string_view text, size_t at) {
  auto out = read_one(text, at);
  if (!may_join(out.letter))
    return out;
  while (out.end < text.size()) {
    const auto unit = utf8_at(text, out.end);
    const auto both =
        unit.valid ? composed(out.letter.code, code_of(text.substr(out.end, unit.bytes))) : 0;
    if (both == 0)
      break;
    out.letter.code = both;
    out.end += unit.bytes;
  }
  return out;
}

/// Puts letters together to words.
class word_maker {
public:
  explicit word_maker(const word_visitor& visit) : visit_{visit} {}

  void letter(char32_t code, size_t begin, size_t end) {
    end_run();
    end_sign();
    if (word_.empty())
      begin_ = begin;
    append_code_point(word_, code);
    end_ = end;
  }

  /// Takes the ASCII that a text continues with. @return where something else begins
  size_t ascii(std::string_view text, size_t at) {
    if (sign_ && at < text.size() && static_cast<uint8_t>(text[at]) < letters_.size())
      end_sign();
    for (; at < text.size() && static_cast<uint8_t>(text[at]) < letters_.size(); ++at) {
      const auto letter = letters_[static_cast<uint8_t>(text[at])];
      if (letter.kind == letter_kind::gap) {
        gap();
        continue;
      }
      if (letter.kind != letter_kind::letter)
        break;
      end_run();
      if (word_.empty())
        begin_ = at;
      word_.push_back(static_cast<char>(letter.code));
      end_ = at + 1;
    }
    return at;
  }

  void of_run(char32_t code, size_t begin, size_t end) {
    end_word();
    std::string character;
    append_code_point(character, code);
    if (!before_.empty()) {
      const auto pair = before_ + character;
      visit_({pair, word_kind::pair, begin_, end, end_});
      paired_ = true;
    }
    before_ = std::move(character);
    begin_ = begin;
    end_ = end;
  }

  /// A sign is a word with all that is not seen after it, such as the choice of its colours.
  void sign(char32_t code, size_t begin, size_t end) {
    gap();
    append_code_point(word_, code);
    begin_ = begin;
    end_ = end;
    sign_ = true;
  }

  void unseen(size_t end) {
    if (!word_.empty() || !before_.empty())
      end_ = end;
  }

  void gap() {
    end_word();
    end_run();
  }

private:
  void end_word() {
    if (word_.empty())
      return;
    visit_({word_, word_kind::spaced, begin_, end_, end_});
    word_.clear();
    sign_ = false;
  }

  void end_sign() {
    if (sign_)
      end_word();
  }

  void end_run() {
    if (before_.empty())
      return;
    visit_({before_, paired_ ? word_kind::last : word_kind::only, begin_, end_, end_});
    before_.clear();
    paired_ = false;
  }

  const word_visitor& visit_;
  const ascii_letters& letters_ = folded_ascii();
  std::string word_;    ///< letters of the word so far
  std::string before_;  ///< the last character of a run
  bool paired_ = false; ///< `before_` ended a pair
  bool sign_ = false;   ///< `word_` is a sign
  size_t begin_ = 0;    ///< of word_, or of before_
  size_t end_ = 0;
};

/// The role of each byte of ASCII in the words of a text: a letter, a space between words, and 0
/// for all others.
using word_bytes = std::array<char, 0x100>;

const word_bytes& bytes_of_words() {
  static const auto made = [] {
    word_bytes out{};
    for (size_t byte = 0; byte < folded_ascii().size(); ++byte) {
      const auto letter = folded_ascii()[byte];
      if (letter.kind == letter_kind::gap)
        out[byte] = ' ';
      else if (letter.kind == letter_kind::letter)
        out[byte] = static_cast<char>(letter.code);
    }
    return out;
  }();
  return made;
}

/// Writes the words that a text in ASCII begins with, each with a space after it: as the visitor
/// gets them, in a part of the time. @return where the first word begins that is not done
size_t write_ascii_words(std::string_view text, std::string& out) {
  const auto& bytes = bytes_of_words();
  out.resize(text.size() + 1);
  char* const first = out.data();
  char* to = first;
  char* done = first;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    const char byte = at < text.size() ? bytes[static_cast<uint8_t>(text[at])] : ' ';
    if (byte == '\0')
      break;
    if (byte != ' ') {
      *to++ = byte;
      continue;
    }
    if (to != first && to[-1] != ' ')
      *to++ = ' ';
    begin = at + 1;
    done = to;
  }
  out.resize(static_cast<size_t>(done - first));
  return std::min(begin, text.size());
}

} // namespace

void for_each_word(std::string_view text, const word_visitor& visit) {
  word_maker words{visit};
  for (auto at = words.ascii(text, 0); at < text.size(); at = words.ascii(text, at)) {
    const auto [letter, end] = read_at(text, at);
    switch (letter.kind) {
    case letter_kind::gap:
      words.gap();
      break;
    case letter_kind::unseen:
      words.unseen(end);
      break;
    case letter_kind::letter:
      words.letter(letter.code, at, end);
      break;
    case letter_kind::letters:
      for (const auto each : letters_of(letter.code))
        words.letter(each, at, end);
      break;
    case letter_kind::sign:
      words.sign(letter.code, at, end);
      break;
    case letter_kind::unspaced:
      words.of_run(letter.code, at, end);
      break;
    }
    at = end;
  }
  words.gap();
}

std::string_view searched_part(std::string_view text) {
  constexpr size_t most_characters = searched_bytes / 4;
  if (text.size() <= most_characters)
    return text;
  size_t characters = 0;
  for (size_t at = 0; at < text.size(); ++at)
    if ((text[at] & '\xC0') != '\x80' && ++characters > most_characters)
      return text.substr(0, at);
  return text;
}

std::string words_of(std::string_view text) {
  std::string out;
  const auto begin = write_ascii_words(text, out);
  for_each_word(text.substr(begin),
                [&out](const search_word& each) { out.append(each.word).push_back(' '); });
  if (!out.empty())
    out.pop_back();
  return out;
}

} // namespace troupe

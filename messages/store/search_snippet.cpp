#include <algorithm>
#include <utility>

#include "messages/store/search_query.hpp"
#include "messages/store/search_words.hpp"

namespace troupe {

namespace {

constexpr char match_begins = '\x02';
constexpr char match_ends = '\x03';

/// The size of a snippet: a word costs 2, a character of a run 1.
constexpr int most_cost = 48;
/// The most bytes without a word at the ends of a snippet.
constexpr size_t most_gap = 80;

/// A word of the text.
struct text_word {
  std::string word;
  word_kind kind;
  size_t begin, end, first_end;
  int cost() const { return kind == word_kind::spaced ? 2 : 1; }
};

/// A phrase in the text.
struct text_match {
  size_t first = 0;  ///< its first word
  size_t last = 0;   ///< its last word
  size_t phrase = 0; ///< its place in the query
  size_t end = 0;    ///< after its last byte
};

std::vector<text_word> read_words(std::string_view text) {
  std::vector<text_word> out;
  for_each_word(text, [&out](const search_word& each) {
    out.push_back({std::string{each.word}, each.kind, each.begin, each.end, each.first_end});
  });
  return out;
}

bool stands_at(const std::vector<text_word>& words, size_t at, const search_phrase& phrase) {
  const auto size = phrase.words.size();
  if (size > words.size() - at)
    return false;
  for (size_t i = 0; i + 1 < size; ++i)
    if (words[at + i].word != phrase.words[i])
      return false;
  const auto& last = words[at + size - 1].word;
  return phrase.begins ? last.starts_with(phrase.words.back()) : last == phrase.words.back();
}

/// Returns where the phrases stand, in the order of their first words.
std::vector<text_match> find_matches(const std::vector<text_word>& words,
                                     const search_query& query) {
  std::vector<text_match> out;
  for (size_t at = 0; at < words.size(); ++at)
    for (size_t i = 0; i < query.phrases.size(); ++i)
      if (stands_at(words, at, query.phrases[i])) {
        const auto last = at + query.phrases[i].words.size() - 1;
        const bool part = query.phrases[i].begins && words[last].kind == word_kind::pair;
        out.push_back({at, last, i, part ? words[last].first_end : words[last].end});
      }
  return out;
}

/// The words of a snippet, from `first` to before `end`.
struct word_window {
  size_t first = 0;
  size_t end = 0;
};

/// Returns how many phrases stand in a window that begins with a match, and the window's end.
size_t count_phrases(const std::vector<text_word>& words, const std::vector<text_match>& matches,
                     size_t from, word_window& out) {
  std::vector<size_t> seen;
  int cost = 0;
  out = {matches[from].first, matches[from].first};
  for (size_t i = from; i < matches.size() && matches[i].first < out.first + most_cost; ++i) {
    for (auto at = out.end; at <= matches[i].last; ++at)
      cost += words[at].cost();
    if (cost > most_cost && i > from)
      break;
    out.end = std::max(out.end, matches[i].last + 1);
    if (std::find(seen.begin(), seen.end(), matches[i].phrase) == seen.end())
      seen.push_back(matches[i].phrase);
  }
  return seen.size();
}

word_window best_window(const std::vector<text_word>& words, const std::vector<text_match>& matches,
                        size_t phrases) {
  word_window best;
  size_t most = 0;
  for (size_t i = 0; i < matches.size() && most < phrases; ++i) {
    word_window here;
    if (const auto count = count_phrases(words, matches, i, here); count > most) {
      most = count;
      best = here;
    }
  }
  return best;
}

/// Widens a window to its full size: a third of the room for what stands before, or more where the
/// text begins or ends.
void widen(const std::vector<text_word>& words, word_window& out) {
  int room = most_cost;
  for (auto at = out.first; at < out.end; ++at)
    room -= words[at].cost();
  const auto grow_back = [&](int least) {
    while (out.first > 0 && room - words[out.first - 1].cost() >= least)
      room -= words[--out.first].cost();
  };
  grow_back(room - room / 3);
  while (out.end < words.size() && room >= words[out.end].cost())
    room -= words[out.end++].cost();
  grow_back(0);
}

/// Writes a piece of the text with its marks.
class snippet_writer {
public:
  snippet_writer(std::string_view text, size_t from) : text_{text}, at_{from} {}

  /// Appends up to `end`. Marks that stand in the text itself are left out.
  void copy(size_t end) {
    for (; at_ < end; ++at_)
      if (text_[at_] != match_begins && text_[at_] != match_ends)
        out_.push_back(text_[at_]);
  }

  void mark(size_t begin, size_t end) {
    if (end <= at_)
      return;
    if (marked_ && begin <= at_) {
      out_.pop_back(); // continues
    } else {
      copy(std::max(begin, at_));
      out_.push_back(match_begins);
    }
    copy(end);
    out_.push_back(match_ends);
    marked_ = true;
  }

  void copy_behind(size_t end) {
    marked_ = marked_ && end <= at_;
    copy(end);
  }

  std::string take(bool cut_before, bool cut_behind) {
    return (cut_before ? "..." : "") + std::move(out_) + (cut_behind ? "..." : "");
  }

private:
  std::string_view text_;
  size_t at_;
  std::string out_;
  bool marked_ = false; ///< the output ends with a mark's end
};

} // namespace

std::string search_snippet(std::string_view text, const search_query& query) {
  const auto words = read_words(text);
  if (words.empty())
    return {};
  const auto matches = find_matches(words, query);
  auto window = best_window(words, matches, query.phrases.size());
  widen(words, window);
  const auto first = words[window.first].begin;
  const auto last = words[window.end - 1].end;
  const bool whole_before = window.first == 0 && first <= most_gap;
  const bool whole_behind = window.end == words.size() && text.size() - last <= most_gap;
  snippet_writer out{text, whole_before ? 0 : first};
  for (const auto& match : matches)
    if (match.first >= window.first && match.last < window.end)
      out.mark(words[match.first].begin, match.end);
  out.copy_behind(whole_behind ? text.size() : last);
  return out.take(!whole_before, !whole_behind);
}

} // namespace troupe

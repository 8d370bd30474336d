#include "messages/wire/provider/answer_pieces.hpp"

#include <utility>

namespace troupe {

namespace {

void add_text(std::string text, bool as_reasoning, std::vector<event>& out) {
  if (text.empty())
    return;
  if (as_reasoning)
    out.emplace_back(reasoning_delta{std::move(text)});
  else
    out.emplace_back(text_delta{std::move(text)});
}

} // namespace

void answer_pieces::read(std::string_view literal, bool as_reasoning, std::vector<event>& out) {
  if (text_.waits() && as_reasoning != is_reasoning_) {
    if (!literal.starts_with('"') || literal.size() <= 2) // an empty text does not end another
      return;
    flush(out);
  }
  is_reasoning_ = as_reasoning;
  add_text(text_.read(literal), as_reasoning, out);
}

void answer_pieces::flush(std::vector<event>& out) {
  std::string rest;
  text_.flush(rest);
  add_text(std::move(rest), is_reasoning_, out);
}

} // namespace troupe

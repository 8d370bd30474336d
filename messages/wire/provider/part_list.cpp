#include "messages/wire/provider/part_list.hpp"

namespace troupe {

void part_list::text(std::string_view more) {
  if (first_)
    text_.append(text_.empty() ? "" : "\n\n").append(more);
  else
    part(more);
}

void part_list::begin_file() {
  if (first_ && !text_.empty())
    part(text_);
  begin();
}

void part_list::end() {
  if (first_)
    append_json(out_, text_);
  else
    out_.push_back(']');
}

void part_list::begin() {
  out_.push_back(first_ ? '[' : ',');
  first_ = false;
}

void part_list::part(std::string_view text) {
  begin();
  as_part_(out_, text);
}

} // namespace troupe

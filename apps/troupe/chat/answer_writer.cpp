#include "apps/troupe/chat/answer_writer.hpp"

#include <string>
#include <utility>

#include <unistd.h>

#include "apps/troupe/terminal/terminal_output.hpp"

namespace troupe {

namespace {

constexpr size_t usual_columns = 80;
constexpr std::string_view dots = "\x1b[2m...\x1b[0m";
constexpr std::string_view erased_line = "\r\x1b[K";

} // namespace

answer_writer::answer_writer(bool as_markdown) {
  if (as_markdown)
    markdown_ =
        std::make_unique<markdown_stream>([] { return columns_of(STDOUT_FILENO, usual_columns); },
                                          [this](std::string_view lines) {
                                            take_dots_away();
                                            wrote_ = true;
                                            write_out(lines);
                                          });
}

void answer_writer::add(std::string_view text) {
  if (text.empty())
    return;
  if (markdown_)
    return add_markdown(text);
  write_out(for_stdout(std::string{text}));
  in_line_ = !text.ends_with('\n');
}

void answer_writer::add_markdown(std::string_view text) {
  markdown_->add(text);
  if (!wrote_ && !std::exchange(has_dots_, true))
    write_out(dots);
}

void answer_writer::take_dots_away() {
  if (std::exchange(has_dots_, false))
    write_out(erased_line);
}

void answer_writer::close() {
  if (markdown_)
    markdown_->end();
  else if (in_line_)
    write_out("\n");
  take_dots_away(); // the text was blank
  in_line_ = wrote_ = false;
}

} // namespace troupe

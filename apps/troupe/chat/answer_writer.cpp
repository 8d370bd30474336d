#include "apps/troupe/chat/answer_writer.hpp"

#include <string>

#include <unistd.h>

#include "apps/troupe/terminal/terminal_output.hpp"

namespace troupe {

namespace {

constexpr size_t usual_columns = 80;

} // namespace

answer_writer::answer_writer(bool as_markdown) {
  if (as_markdown)
    markdown_ = std::make_unique<markdown_stream>(
        [] { return columns_of(STDOUT_FILENO, usual_columns); }, write_out);
}

void answer_writer::add(std::string_view text) {
  if (text.empty())
    return;
  if (markdown_)
    return markdown_->add(text);
  write_out(for_stdout(std::string{text}));
  in_line_ = !text.ends_with('\n');
}

void answer_writer::close() {
  if (markdown_)
    markdown_->end();
  else if (in_line_)
    write_out("\n");
  in_line_ = false;
}

} // namespace troupe

#include "actors/turn/tool_output.hpp"

#include <fmt/format.h>

#include "messages/utf8.hpp"

namespace troupe {

namespace {

std::string cut_note(size_t shown, size_t size, std::string_view path) {
  if (path.empty())
    return fmt::format("{}{} of {} bytes]", cut_note_head, shown, size);
  return fmt::format("{}{} of {} bytes; the whole is in the file {}]", cut_note_head, shown, size,
                     path);
}

} // namespace

std::string bounded_output(std::string text, size_t limit) {
  if (text.size() <= limit)
    return text;
  auto full = text.size();
  text.resize(utf8_prefix(text, limit).size());
  return text + cut_note(text.size(), full, "");
}

std::string spilled_output(std::string_view head, size_t size, std::string_view path,
                           size_t limit) {
  auto room = cut_note(size, size, path).size(); // its longest form
  if (room > limit)
    return path.empty() ? std::string{utf8_prefix(head, limit)}
                        : spilled_output(head, size, "", limit);
  auto shown = utf8_prefix(head, limit - room);
  return std::string{shown} + cut_note(shown.size(), size, path);
}

} // namespace troupe

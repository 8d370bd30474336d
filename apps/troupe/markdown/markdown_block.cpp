#include "apps/troupe/markdown/markdown_block.hpp"

#include "apps/troupe/markdown/block_writer.hpp"
#include "apps/troupe/markdown/styled_text.hpp"
#include "apps/troupe/markdown/unspaced_text.hpp"
#include "messages/terminal_text.hpp"
#include "messages/utf8.hpp"

namespace troupe {

namespace {

block_writer& writer(void* data) {
  return *static_cast<block_writer*>(data);
}

/// md4c calls these; what they return stops it unless it is 0.
MD_PARSER parser_for_writer() {
  MD_PARSER out{};
  out.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_NOHTML |
              MD_FLAG_PERMISSIVEURLAUTOLINKS;
  out.enter_block = [](MD_BLOCKTYPE type, void* detail, void* to) {
    writer(to).enter(type, detail);
    return 0;
  };
  out.leave_block = [](MD_BLOCKTYPE type, void*, void* to) {
    writer(to).leave(type);
    return 0;
  };
  out.enter_span = [](MD_SPANTYPE type, void*, void* to) {
    writer(to).enter(type);
    return 0;
  };
  out.leave_span = [](MD_SPANTYPE type, void* detail, void* to) {
    writer(to).leave(type, detail);
    return 0;
  };
  out.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* to) {
    writer(to).add(type, without_stand_ins({text, size}));
    return 0;
  };
  return out;
}

/// Returns whole characters that cannot steer a terminal. Markdown's marks between two halves of
/// one are taken out, so halves must not stay.
std::string harmless_text(std::string_view text, bool lines) {
  std::string whole;
  append_utf8(whole, text);
  return terminal_text(whole, lines);
}

} // namespace

std::string rendered_markdown(std::string_view markdown, size_t columns) {
  const auto harmless = harmless_text(markdown, true);
  const auto parser = parser_for_writer();
  block_writer out{columns};
  const auto given = with_stand_ins(harmless);
  if (md_parse(given.data(), static_cast<MD_SIZE>(given.size()), &parser, &out) != 0)
    return harmless; // no memory: better raw than nothing
  return out.finish();
}

std::string rendered_code_line(std::string_view line) {
  return painted(harmless_text(line, true), style_code);
}

std::string rendered_fence(std::string_view line) {
  return painted(harmless_text(line, false), style_dim);
}

} // namespace troupe

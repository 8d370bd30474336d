#include "apps/troupe/markdown/block_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "apps/troupe/markdown/markdown_block.hpp"
#include "apps/troupe/markdown/unspaced_text.hpp"
#include "messages/terminal_text.hpp"
#include "messages/utf8.hpp"

namespace troupe {

// -- table layout ---------------------------------------------------------------------------------

namespace {

std::string painted_cell(const styled_text& cell) {
  std::string out;
  for (const auto& run : cell)
    out += painted(run.text, run.style);
  return out;
}

std::vector<size_t> widths_of(const table_rows& rows) {
  std::vector<size_t> out;
  for (const auto& row : rows) {
    out.resize(std::max(out.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      out[i] = std::max(out[i], width_of(row[i]));
  }
  return out;
}

std::vector<std::string> in_columns(const table_rows& rows, const std::vector<size_t>& widths) {
  std::vector<std::string> out;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += painted_cell(row[i]);
      if (i + 1 < row.size())
        line += std::string(widths[i] + 2 - width_of(row[i]), ' ');
    }
    out.push_back(std::move(line));
    if (out.size() > 1)
      continue;
    std::string rule;
    for (size_t i = 0; i < widths.size(); ++i) {
      for (size_t j = 0; j < widths[i]; ++j)
        rule += "─";
      rule += i + 1 < widths.size() ? "  " : "";
    }
    out.push_back(painted(rule, style_dim));
  }
  return out;
}

std::vector<std::string> as_lists(const table_rows& rows, size_t columns) {
  std::vector<std::string> out;
  for (size_t r = 1; r < rows.size(); ++r) {
    if (r > 1)
      out.emplace_back();
    for (size_t i = 0; i < rows[r].size(); ++i) {
      auto line = i < rows[0].size() ? rows[0][i] : styled_text{};
      line.push_back({": ", style_plain});
      line.insert(line.end(), rows[r][i].begin(), rows[r][i].end());
      for (auto& each : wrapped(line, columns))
        out.push_back(std::move(each));
    }
  }
  return out;
}

} // namespace

std::vector<std::string> table_lines(const table_rows& rows, size_t columns) {
  const auto widths = widths_of(rows);
  const auto all = std::accumulate(widths.begin(), widths.end(), 2 * widths.size());
  if (all <= columns + 2 || rows.size() < 2)
    return in_columns(rows, widths);
  return as_lists(rows, columns);
}

// -- entity text ----------------------------------------------------------------------------------

namespace {

/// Returns what an entity stands for, as terminal_text(): of those with names only what has a
/// meaning in HTML; one that is not known, as it is written. @param entity "&amp;", "&#233;",
/// "&#xe9;"
std::string entity_text(std::string_view entity) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> named{{{"&amp;", "&"},
                                                                                {"&lt;", "<"},
                                                                                {"&gt;", ">"},
                                                                                {"&quot;", "\""},
                                                                                {"&apos;", "'"},
                                                                                {"&nbsp;", " "}}};
  for (const auto& [name, text] : named)
    if (entity == name)
      return std::string{text};
  if (!entity.starts_with("&#"))
    return std::string{entity};
  auto digits = entity.substr(2, entity.size() - 3);
  const auto is_hex = digits.starts_with('x') || digits.starts_with('X');
  digits.remove_prefix(is_hex ? 1 : 0);
  uint32_t code = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
  std::string out;
  append_code_point(out, code);
  return terminal_text(out);
}

// -- block writer ---------------------------------------------------------------------------------

constexpr size_t least_columns = 20; // of text, however deep it is nested

std::string attribute_text(const MD_ATTRIBUTE& from) {
  std::string out;
  for (size_t i = 0; from.text != nullptr && from.substr_offsets[i] < from.size; ++i) {
    const auto begin = from.substr_offsets[i];
    const std::string_view piece{from.text + begin, from.substr_offsets[i + 1] - begin};
    out += from.substr_types[i] == MD_TEXT_ENTITY ? entity_text(piece) : std::string{piece};
  }
  return without_stand_ins(out);
}

} // namespace

size_t block_writer::room() const {
  size_t taken = 0;
  for (const auto& each : prefixes_)
    taken += width_of({{each, style_plain}});
  return std::max(least_columns, columns_ > taken ? columns_ - taken : 0);
}

void block_writer::write_lines(const std::vector<std::string>& lines) {
  for (const auto& each : lines) {
    std::string head;
    for (size_t i = 0; i < prefixes_.size(); ++i)
      if (i + 1 == prefixes_.size() && !marker_.empty())
        head += std::exchange(marker_, {});
      else
        head += prefixes_[i].starts_with(' ') ? prefixes_[i] : painted(prefixes_[i], style_dim);
    while (each.empty() && head.ends_with(' '))
      head.pop_back();
    out_ += head + each + '\n';
  }
}

void block_writer::begin_block() {
  write_inline();
  if (std::exchange(gap_, false))
    write_lines({""});
}

void block_writer::write_inline() {
  if (text_.empty())
    return;
  if (std::exchange(gap_, false))
    write_lines({""});
  write_lines(wrapped(std::exchange(text_, {}), room()));
}

void block_writer::enter_item(const MD_BLOCK_LI_DETAIL& item) {
  gap_ = false;
  auto& in = lists_.back();
  marker_ = in.ordered ? std::to_string(in.next++) + ". " : "• ";
  if (item.is_task != 0)
    marker_ = item.task_mark == ' ' ? "☐ " : "☑ ";
  nest(std::string(width_of({{marker_, style_plain}}), ' '));
}

void block_writer::enter_list(bool ordered, unsigned start) {
  write_inline();
  gap_ = gap_ && lists_.empty();
  begin_block();
  lists_.push_back({start, ordered});
}

void block_writer::enter(MD_BLOCKTYPE type, void* detail) {
  switch (type) {
  case MD_BLOCK_QUOTE:
    begin_block();
    return nest("│ ");
  case MD_BLOCK_UL:
    return enter_list(false, 0);
  case MD_BLOCK_OL:
    return enter_list(true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start);
  case MD_BLOCK_LI:
    return enter_item(*static_cast<MD_BLOCK_LI_DETAIL*>(detail));
  case MD_BLOCK_HR:
    begin_block();
    write_lines({painted("────────────────────", style_dim)});
    gap_ = true;
    return;
  case MD_BLOCK_H:
    begin_block();
    return styles_.push_back(style_bold);
  case MD_BLOCK_CODE:
    begin_block();
    fence_ = "```" + attribute_text(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->info);
    in_code_ = true;
    return;
  case MD_BLOCK_TH:
  case MD_BLOCK_TD:
    row_.emplace_back();
    return styles_.push_back(type == MD_BLOCK_TH ? style_bold : style_plain);
  case MD_BLOCK_P:
  case MD_BLOCK_TABLE:
    return begin_block();
  default:
    return;
  }
}

void block_writer::leave_item() {
  write_inline();
  if (!marker_.empty())
    write_lines({""}); // an empty item
  prefixes_.pop_back();
}

void block_writer::leave(MD_BLOCKTYPE type) {
  styles_.resize(1); // no span is longer than its block, also where md4c has not told its end
  links_.clear();
  switch (type) {
  case MD_BLOCK_LI:
    return leave_item();
  case MD_BLOCK_UL:
  case MD_BLOCK_OL:
    lists_.pop_back();
    break;
  case MD_BLOCK_QUOTE:
    write_inline();
    prefixes_.pop_back();
    break;
  case MD_BLOCK_CODE:
    in_code_ = false;
    write_code(std::exchange(code_, {}));
    break;
  case MD_BLOCK_TH:
  case MD_BLOCK_TD:
    return;
  case MD_BLOCK_TR:
    rows_.push_back(std::exchange(row_, {}));
    return;
  case MD_BLOCK_TABLE:
    write_lines(table_lines(std::exchange(rows_, {}), room()));
    break;
  case MD_BLOCK_H:
  case MD_BLOCK_P:
    write_inline();
    break;
  default:
    return;
  }
  gap_ = true;
}

void block_writer::write_code(const std::string& code) {
  std::vector<std::string> lines{rendered_fence(fence_)};
  for (size_t at = 0; at < code.size();) {
    const auto end = std::min(code.find('\n', at), code.size());
    lines.push_back(rendered_code_line(std::string_view{code}.substr(at, end - at)));
    at = end + 1;
  }
  lines.push_back(rendered_fence("```"));
  write_lines(lines);
}

void block_writer::enter(MD_SPANTYPE type) {
  auto style = styles_.back();
  if (type == MD_SPAN_EM)
    style |= style_italic;
  if (type == MD_SPAN_STRONG)
    style |= style_bold;
  if (type == MD_SPAN_CODE)
    style |= style_code;
  if (type == MD_SPAN_DEL)
    style |= style_struck;
  if (type == MD_SPAN_A)
    style |= style_underlined;
  styles_.push_back(style);
  if (type == MD_SPAN_IMG)
    text().push_back({"[image: ", style});
  if (type == MD_SPAN_A || type == MD_SPAN_IMG)
    links_.push_back(text().size());
}

// md4c tells ends of spans that it has not begun, where a link crosses an emphasis.
void block_writer::leave(MD_SPANTYPE type, void* detail) {
  if (styles_.size() > 1)
    styles_.pop_back();
  if ((type != MD_SPAN_A && type != MD_SPAN_IMG) || links_.empty())
    return;
  std::string shown;
  for (auto i = links_.back(); i < text().size(); ++i)
    shown += text()[i].text;
  links_.pop_back();
  const auto& to = type == MD_SPAN_A ? static_cast<MD_SPAN_A_DETAIL*>(detail)->href
                                     : static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src;
  const auto address = terminal_text(attribute_text(to));
  if (type == MD_SPAN_IMG)
    text().push_back({"]", styles_.back()});
  if (address != shown && address != "mailto:" + shown && address != "http://" + shown)
    text().push_back({" (" + address + ")", style_dim});
}

void block_writer::add(MD_TEXTTYPE type, std::string_view given) {
  if (in_code_)
    code_ += given;
  else if (type == MD_TEXT_BR)
    text().push_back({"\n", style_plain});
  else if (type == MD_TEXT_SOFTBR)
    text().push_back({" ", style_plain});
  else if (type == MD_TEXT_ENTITY)
    text().push_back({entity_text(given), styles_.back()});
  else
    text().push_back({std::string{given}, styles_.back()});
}

} // namespace troupe

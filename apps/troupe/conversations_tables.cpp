#include "apps/troupe/conversations_tables.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "messages/utf8.hpp"
#include "messages/wire/json_source.hpp"

namespace troupe {

namespace {

using row = std::vector<std::string>;

constexpr size_t widest_title = 50;

/// Returns how many characters there are, for columns.
size_t characters(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }));
}

std::string shortened(const std::string& text, size_t most) {
  if (characters(text) <= most)
    return text;
  size_t end = 0;
  for (size_t count = 3; count < most; ++count)
    end += utf8_at(text, end).bytes;
  return text.substr(0, end) + "...";
}

/// Prints columns as wide as their longest cell, but for the last, which is as long as it is.
void print_table(const row& heads, const std::vector<row>& rows) {
  if (rows.empty())
    return;
  auto widths = std::vector<size_t>(heads.size());
  for (size_t i = 0; i < heads.size(); ++i) {
    widths[i] = heads[i].size();
    for (const auto& each : rows)
      widths[i] = std::max(widths[i], characters(each[i]));
  }
  auto print = [&](const row& cells) {
    for (size_t i = 0; i + 1 < cells.size(); ++i)
      fmt::print("{}{}", cells[i], std::string(widths[i] + 2 - characters(cells[i]), ' '));
    fmt::print("{}\n", cells.back());
  };
  print(heads);
  for (const auto& each : rows)
    print(each);
}

std::string time_of(std::string_view milliseconds) {
  auto seconds = static_cast<std::time_t>(number_of(milliseconds) / 1000);
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(seconds));
}

std::string line_of(std::string_view value) {
  return printable(json_string(value));
}

void print_next(std::string_view next) {
  if (!is_nothing(next))
    fmt::print(stderr, "There are more: --cursor {}\n", line_of(next));
}

/// Returns a snippet on one line.
std::string snippet_of(std::string_view pieces, bool bold) {
  std::string out;
  for_each_element(pieces, [&](std::string_view piece) {
    std::string_view text, match;
    read_members(piece, {{"text", &text}, {"match", &match}});
    auto marks = bold && match == "true";
    out += (marks ? "\x1b[1m" : "") + line_of(text) + (marks ? "\x1b[0m" : "");
    return true;
  });
  return out;
}

row usage_cells(std::string_view of) {
  std::string_view turns, requests, used, input, output, total;
  read_members(of, {{"turns", &turns}, {"requests", &requests}, {"usage", &used}});
  read_members(used, {{"inputTokens", &input}, {"outputTokens", &output}, {"totalTokens", &total}});
  return {std::string{turns}, std::string{requests}, std::string{input}, std::string{output},
          std::string{total}};
}

} // namespace

std::string printable(std::string_view text, bool lines) {
  std::string out;
  for (char c : text) {
    auto byte = static_cast<uint8_t>(c);
    if (byte >= 0x20 && byte != 0x7f)
      out.push_back(c);
    else if (c == '\n' || c == '\t')
      out.push_back(lines ? c : ' ');
  }
  return out;
}

void print_conversations(std::string_view body) {
  json_source source{body};
  std::string_view all, next;
  read_members(source.root(), {{"conversations", &all}, {"next", &next}});
  std::vector<row> rows;
  for_each_element(all, [&](std::string_view each) {
    std::string_view id, title, messages, updated;
    read_members(
        each,
        {{"id", &id}, {"title", &title}, {"messageCount", &messages}, {"updatedAt", &updated}});
    rows.push_back({line_of(id), shortened(line_of(title), widest_title), std::string{messages},
                    time_of(updated)});
    return true;
  });
  print_table({"ID", "TITLE", "MESSAGES", "CHANGED"}, rows);
  print_next(next);
}

void print_hits(std::string_view body) {
  json_source source{body};
  std::string_view hits, next;
  read_members(source.root(), {{"hits", &hits}, {"next", &next}});
  auto bold = ::isatty(STDOUT_FILENO) == 1;
  std::vector<row> rows;
  for_each_element(hits, [&](std::string_view hit) {
    std::string_view id, title, who, snippet, created;
    read_members(hit, {{"conversationId", &id},
                       {"title", &title},
                       {"role", &who},
                       {"snippet", &snippet},
                       {"createdAt", &created}});
    rows.push_back({line_of(id), shortened(line_of(title), widest_title), time_of(created),
                    line_of(who), snippet_of(snippet, bold)});
    return true;
  });
  print_table({"ID", "TITLE", "WRITTEN", "ROLE", "TEXT"}, rows);
  print_next(next);
}

void print_overrides(std::string_view body) {
  json_source source{body};
  std::string_view model, servers;
  read_members(source.root(), {{"model", &model}, {"mcpServers", &servers}});
  std::string names;
  for_each_element(servers, [&](std::string_view name) {
    names += (names.empty() ? "" : ", ") + line_of(name);
    return true;
  });
  fmt::print("model: {}\nMCP servers: {}\n", is_nothing(model) ? "the default one" : line_of(model),
             is_nothing(servers) ? "all that are enabled"
             : names.empty()     ? "none"
                                 : names);
}

void print_usage(std::string_view body) {
  json_source source{body};
  std::string_view rows_of_days, total;
  read_members(source.root(), {{"usage", &rows_of_days}, {"total", &total}});
  std::vector<row> rows;
  auto add = [&rows](std::string day, std::string model, std::string_view of) {
    auto& cells = rows.emplace_back(row{std::move(day)});
    for (auto& cell : usage_cells(of))
      cells.push_back(std::move(cell));
    cells.push_back(std::move(model));
  };
  for_each_element(rows_of_days, [&](std::string_view each) {
    std::string_view day, model;
    read_members(each, {{"day", &day}, {"model", &model}});
    add(line_of(day), line_of(model), each);
    return true;
  });
  if (!rows.empty())
    add("all", "", total);
  print_table({"DAY", "TURNS", "REQUESTS", "INPUT", "OUTPUT", "TOTAL", "MODEL"}, rows);
}

} // namespace troupe

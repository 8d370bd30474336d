#include "apps/troupe/conversations/conversations_tables.hpp"

#include <cstdio>
#include <ctime>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "apps/troupe/terminal/terminal_output.hpp"
#include "apps/troupe/terminal/text_width.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr size_t widest_title = 50; ///< columns

std::string time_of(std::string_view milliseconds) {
  auto seconds = static_cast<std::time_t>(number_of(milliseconds) / 1000);
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(seconds));
}

std::string line_of(std::string_view value) {
  return terminal_text(json_string(value));
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

table_row usage_cells(std::string_view of) {
  std::string_view turns, requests, used, input, output, total;
  read_members(of, {{"turns", &turns}, {"requests", &requests}, {"usage", &used}});
  read_members(used, {{"inputTokens", &input}, {"outputTokens", &output}, {"totalTokens", &total}});
  return {std::string{turns}, std::string{requests}, std::string{input}, std::string{output},
          std::string{total}};
}

/// @param limit of the server; 0: none
std::string with_limit(std::string_view number, std::string_view unit, std::string_view limit) {
  return is_nothing(limit) || limit == "0" ? fmt::format("{} {}", number, unit)
                                           : fmt::format("{} of {} {}", number, limit, unit);
}

/// @param kept the member of an answer; an older server sends none
void print_kept(std::string_view kept) {
  std::string_view conversations, bytes, most, most_bytes;
  read_members(kept, {{"conversations", &conversations},
                      {"bytes", &bytes},
                      {"maxConversations", &most},
                      {"maxBytes", &most_bytes}});
  if (!is_nothing(conversations))
    fmt::print("kept: {}, {}\n", with_limit(conversations, "conversations", most),
               with_limit(bytes, "bytes", most_bytes));
}

} // namespace

void print_conversations(std::string_view body) {
  json_source source{body};
  std::string_view all, next;
  read_members(source.root(), {{"conversations", &all}, {"next", &next}});
  std::vector<table_row> rows;
  for_each_element(all, [&](std::string_view each) {
    std::string_view id, title, messages, updated;
    read_members(
        each,
        {{"id", &id}, {"title", &title}, {"messageCount", &messages}, {"updatedAt", &updated}});
    rows.push_back({line_of(id), shortened(line_of(title), widest_title), std::string{messages},
                    time_of(updated)});
    return true;
  });
  print_rows("No conversation is kept.", {"ID", "TITLE", "MESSAGES", "CHANGED"}, rows);
  print_next(next);
}

void print_hits(std::string_view body) {
  json_source source{body};
  std::string_view hits, next;
  read_members(source.root(), {{"hits", &hits}, {"next", &next}});
  auto bold = ::isatty(STDOUT_FILENO) == 1;
  std::vector<table_row> rows;
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
  print_rows("Nothing was found.", {"ID", "TITLE", "WRITTEN", "ROLE", "TEXT"}, rows);
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
  std::string_view rows_of_days, total, kept;
  read_members(source.root(), {{"usage", &rows_of_days}, {"total", &total}, {"kept", &kept}});
  std::vector<table_row> rows;
  auto add = [&rows](std::string day, std::string model, std::string_view of) {
    auto& cells = rows.emplace_back(table_row{std::move(day)});
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
  print_rows("Nothing was used.", {"DAY", "TURNS", "REQUESTS", "INPUT", "OUTPUT", "TOTAL", "MODEL"},
             rows);
  print_kept(kept);
}

} // namespace troupe

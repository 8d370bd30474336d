#include "apps/troupe/conversations/conversations_verbs.hpp"

#include <array>
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/conversations/conversations_tables.hpp"
#include "apps/troupe/terminal/terminal_output.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

using options = conversations_options;

/// Prints the answer as it is with --json, else as `print` does.
int show(const options& given, const backend_answer& answer, void (*print)(std::string_view)) {
  if (answer.error)
    return complain(answer.error);
  if (given.json)
    fmt::print("{}\n", for_stdout(answer.body));
  else
    print(answer.body);
  return 0;
}

void nothing(std::string_view) {}

void print_id(std::string_view body) {
  json_source source{body};
  std::string_view id;
  read_members(source.root(), {{"id", &id}});
  fmt::print("{}\n", for_stdout(json_string(id)));
}

// -- options of several verbs ---------------------------------------------------------------------

void add_id(CLI::App& sub, options& into) {
  sub.add_option("ID", into.id, "The conversation")->required();
}

void add_page(CLI::App& sub, options& into) {
  sub.add_option("--limit", into.limit, "Show at most so many")->type_name("COUNT");
  sub.add_option("--cursor", into.cursor, "Go on where a page ended")->type_name("TEXT");
}

void describe_list(CLI::App& sub, options& into) {
  add_page(sub, into);
}

void describe_search(CLI::App& sub, options& into) {
  sub.add_option("WORDS", into.words,
                 "All must occur; \"in quotes\": one after the other; word*: begins so")
      ->required();
  add_page(sub, into);
}

void describe_rename(CLI::App& sub, options& into) {
  add_id(sub, into);
  sub.add_option("TITLE", into.title, "The new title")->required();
}

void describe_delete(CLI::App& sub, options& into) {
  sub.add_option("ID", into.ids, "The conversations; 'bench-*': all whose id begins so");
  sub.add_flag("--all", into.all, "All there are");
  sub.add_option("--before", into.before, "Only those last changed before this day, as 2026-11-01")
      ->type_name("DAY");
  sub.add_flag("--yes,-y", into.yes, "Do not ask before many are deleted");
}

void describe_branch(CLI::App& sub, options& into) {
  add_id(sub, into);
  sub.add_option("--message", into.message_id, "The last message of the branch")->type_name("ID");
  sub.add_option("--id", into.new_id, "Of the branch; else one is made")->type_name("ID");
  sub.add_option("--title", into.title, "Of the branch");
}

void describe_export(CLI::App& sub, options& into) {
  sub.add_option("ID", into.ids, "The conversations");
  sub.add_flag("--all", into.all, "All there are");
  sub.add_option("--output,-o", into.file, "Write there instead of to standard output")
      ->type_name("FILE");
}

void describe_import(CLI::App& sub, options& into) {
  sub.add_option("FILE", into.file, "What export wrote; standard input without it");
  sub.add_option("--id", into.new_id, "Give a single conversation this id")->type_name("ID");
}

void describe_overrides(CLI::App& sub, options& into) {
  add_id(sub, into);
  sub.add_option_function<std::string>(
         "--model",
         [&into](const std::string& name) {
           into.model = name;
           into.has_model = true;
         },
         "A key of `models`; \"\": the default one")
      ->type_name("NAME");
  sub.add_option_function<std::string>(
         "--mcp-servers",
         [&into](const std::string& names) {
           into.servers = names;
           into.has_servers = true;
         },
         "Whose tools it sees; \"\": none")
      ->type_name("NAME,NAME");
  sub.add_flag("--all-mcp-servers", into.all_servers, "It sees the tools of all");
}

void describe_usage(CLI::App& sub, options& into) {
  sub.add_option("--from", into.from, "First day, as 2026-11-01 (UTC)")->type_name("DAY");
  sub.add_option("--to", into.to, "Last day")->type_name("DAY");
}

// -- actions --------------------------------------------------------------------------------------

int list(const options& given, conversations_backend& all) {
  return show(given, all.list(given.limit, given.cursor), print_conversations);
}

/// Returns the cursor behind a page without hits, "" behind another one and the last one. A phrase
/// whose words stand in very many texts has such pages.
std::string behind_nothing(std::string_view page) {
  json_source source{page};
  std::string_view hits, next;
  read_members(source.root(), {{"hits", &hits}, {"next", &next}});
  return hits == "[]" && next != "null" ? json_string(next) : std::string{};
}

int search(const options& given, conversations_backend& all) {
  std::string words;
  for (const auto& each : given.words)
    words += (words.empty() ? "" : " ") + each;
  backend_answer answer;
  std::string cursor;
  std::string next = given.cursor;
  do {
    cursor = std::move(next);
    answer = all.search(words, given.limit, cursor);
    next = answer.error ? std::string{} : behind_nothing(answer.body);
  } while (!next.empty());
  if (answer.error && cursor != given.cursor)
    fmt::print(stderr, "Nothing was found so far: --cursor {} goes on.\n", cursor);
  return show(given, answer, print_hits);
}

int show_one(const options& given, conversations_backend& all) {
  return show(given, all.show(given.id), print_transcript);
}

int rename(const options& given, conversations_backend& all) {
  return show(given, all.rename(given.id, given.title), nothing);
}

int branch(const options& given, conversations_backend& all) {
  return show(given, all.branch(given.id, {given.message_id, given.new_id, given.title}), print_id);
}

std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    auto name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    if (!name.empty())
      out.emplace_back(name);
  }
  return out;
}

/// Changes what the options name; the rest stays as it is.
backend_answer change_overrides(const options& given, const backend_answer& now,
                                conversations_backend& all) {
  chat_overrides what;
  if (auto bad = parse_overrides(now.body, what))
    return {bad, ""};
  if (given.has_model)
    what.model = given.model;
  if (given.has_servers || given.all_servers) {
    what.limits_servers = !given.all_servers;
    what.mcp_servers = names_of(given.servers);
  }
  return all.set_overrides(given.id, what, now.version);
}

int overrides(const options& given, conversations_backend& all) {
  const bool changes = given.has_model || given.has_servers || given.all_servers;
  backend_answer answer;
  for (int left = 3; left >= 0; --left) { // somebody may change it meanwhile
    answer = all.overrides(given.id);
    if (answer.error || !changes)
      break;
    answer = change_overrides(given, answer, all);
    if (answer.error.code != errc::conversation_changed)
      break;
  }
  return show(given, answer, print_overrides);
}

int usage_of(const options& given, conversations_backend& all) {
  return show(given, all.usage(given.from, given.to), print_usage);
}

constexpr std::array rows{
    conversations_verb{"list", "Show what is kept, newest change first", describe_list, list},
    conversations_verb{"search", "Look for words in messages", describe_search, search},
    conversations_verb{"show", "Show the messages of one", add_id, show_one},
    conversations_verb{"rename", "Give one another title", describe_rename, rename},
    conversations_verb{"delete", "Delete some for good", describe_delete, delete_conversations},
    conversations_verb{"branch", "Copy one, up to a message; prints the copy's id", describe_branch,
                       branch},
    conversations_verb{"export", "Write some as JSON, one on a line", describe_export,
                       export_conversations},
    conversations_verb{"import", "Read what export wrote", describe_import, import_conversations,
                       true},
    conversations_verb{"overrides", "Show or change which model and tools one uses",
                       describe_overrides, overrides},
    conversations_verb{"usage", "Show what was used, by day and model", describe_usage, usage_of},
};

} // namespace

std::span<const conversations_verb> conversations_verbs() {
  return rows;
}

int complain(const failure& why) {
  fmt::print(stderr, "troupe: {}\n", terminal_text(why.text(), true)); // with ids
  return why.code == errc::request_invalid || why.code == errc::config_invalid ? exit_usage
                                                                               : exit_failed;
}

} // namespace troupe

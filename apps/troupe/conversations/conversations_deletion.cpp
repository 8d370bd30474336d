// Deletes conversations: those that are named, or many at once, after a question.
#include "apps/troupe/conversations/conversations_verbs.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/conversations/listed_chats.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "messages/wire/glob.hpp"

namespace troupe {

namespace {

bool is_pattern(const std::string& id) {
  return id.find('*') != std::string::npos;
}

/// The start of a day, in local time, as people see it in lists. @param day that is_day() takes
int64_t start_of(const std::string& day) {
  std::tm parts{};
  ::strptime(day.c_str(), "%Y-%m-%d", &parts);
  parts.tm_isdst = -1;
  return static_cast<int64_t>(std::mktime(&parts)) * 1000;
}

failure fault_of(const conversations_options& options) {
  if (!options.before.empty() && !is_day(options.before))
    return {errc::request_invalid, "--before must be a day like 2026-11-21"};
  if (options.all && !options.ids.empty())
    return {errc::request_invalid, "--all and names of conversations exclude each other"};
  if (!options.all && options.ids.empty() && options.before.empty())
    return {errc::request_invalid,
            "name the conversations ('bench-*' for many), or say --all or --before"};
  return {};
}

/// Lists those that the options mean. Names without a * are taken as they are.
failure find(const conversations_options& options, conversations_backend& all,
             std::vector<listed_chat>& out) {
  const auto before = options.before.empty() ? INT64_MAX : start_of(options.before);
  return list_chats(
      all,
      [&](const std::string& id, int64_t updated_ms) {
        const auto fits = [&](const std::string& each) { return matches_glob(each, id); };
        return updated_ms < before &&
               (options.ids.empty() || std::ranges::any_of(options.ids, fits));
      },
      out);
}

std::string counted(size_t count) {
  return fmt::format("{} conversation{}", count, count == 1 ? "" : "s");
}

/// Asks on the terminal. Without one nobody can answer.
bool agrees(size_t count) {
  if (::isatty(STDIN_FILENO) != 1) {
    fmt::print(stderr, "troupe: {} would be deleted; say --yes to do it\n", counted(count));
    return false;
  }
  fmt::print(stderr, "Delete {} for good? [y/N] ", counted(count));
  std::fflush(stderr);
  char answer[64]{};
  return std::fgets(answer, sizeof answer, stdin) != nullptr &&
         (answer[0] == 'y' || answer[0] == 'Y');
}

/// Deletes them one after the other. One of many that is gone already is no failure; one that
/// somebody has gone on with since it was listed stays, for it is not what was agreed to.
int delete_each(const std::vector<listed_chat>& chats, bool many, bool older_ones,
                conversations_backend& all) {
  int code = 0;
  size_t done = 0;
  for (const auto& [id, version] : chats) {
    const auto why = all.remove(id, version).error;
    done += why ? 0 : 1;
    const bool stays = why.code == errc::conversation_changed;
    if (stays)
      fmt::print(stderr, "{}: was changed meanwhile, so it stays\n", terminal_text(id));
    if (stays && !older_ones) // with --before it is none of those any more
      code = exit_failed;
    if (why && !stays && !(many && why.code == errc::conversation_unknown))
      code = complain({why.code, id + ": " + why.text()});
  }
  if (many)
    fmt::print(stderr, "{} of {} deleted\n", done, chats.size());
  return code;
}

} // namespace

int delete_conversations(const conversations_options& options, conversations_backend& all) {
  if (auto bad = fault_of(options))
    return complain(bad);
  const bool many =
      options.all || !options.before.empty() || std::ranges::any_of(options.ids, is_pattern);
  std::vector<listed_chat> chats;
  if (!many)
    for (const auto& id : options.ids)
      chats.push_back({id});
  else if (auto bad = find(options, all, chats))
    return complain(bad);
  else if (!chats.empty() && !options.yes && !agrees(chats.size()))
    return exit_failed;
  return delete_each(chats, many, !options.before.empty(), all);
}

} // namespace troupe

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
#include "apps/troupe/conversations/listed_ids.hpp"
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
             std::vector<std::string>& out) {
  const auto before = options.before.empty() ? INT64_MAX : start_of(options.before);
  return list_ids(
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

} // namespace

int delete_conversations(const conversations_options& options, conversations_backend& all) {
  if (auto bad = fault_of(options))
    return complain(bad);
  auto ids = options.ids;
  const bool many =
      options.all || !options.before.empty() || std::any_of(ids.begin(), ids.end(), is_pattern);
  if (many) {
    ids.clear();
    if (auto bad = find(options, all, ids))
      return complain(bad);
    if (!ids.empty() && !options.yes && !agrees(ids.size()))
      return exit_failed;
  }
  int code = 0;
  size_t done = 0;
  for (const auto& id : ids) {
    auto answer = all.remove(id);
    if (answer.error && !(many && answer.error.code == errc::conversation_unknown))
      code = complain({answer.error.code, id + ": " + answer.error.text()});
    done += answer.error ? 0 : 1;
  }
  if (many)
    fmt::print(stderr, "{} of {} deleted\n", done, ids.size());
  return code;
}

} // namespace troupe

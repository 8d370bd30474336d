// Exports to files, and imports from them: one conversation on a line.
#include "apps/troupe/conversations/conversations_verbs.hpp"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/conversations/exported_file.hpp"
#include "apps/troupe/conversations/imported_file.hpp"
#include "apps/troupe/conversations/listed_chats.hpp"
#include "messages/terminal_text.hpp"

namespace troupe {

namespace {

/// A file that lacks something, or everything, takes the place of no better one.
/// @param done so many were written @param code of what went wrong; 0: nothing
int end_export(exported_file& to, const std::string& file, size_t done, int code) {
  if (code == 0 && done == 0 && to.replaces_something())
    return complain({errc::conversation_unknown,
                     fmt::format("there is nothing to export; {} stays as it was", file)});
  if (code == 0 || !to.waits()) {
    const auto bad = to.keep();
    return bad ? complain(bad) : code;
  }
  fmt::print(stderr, "Something is missing, so {} was not written.\n", terminal_text(file));
  return code;
}

} // namespace

int export_conversations(const conversations_options& options, conversations_backend& all) {
  if (options.ids.empty() != options.all)
    return complain({errc::request_invalid, "name the conversations, or say --all"});
  std::vector<listed_chat> chats;
  for (const auto& id : options.ids)
    chats.push_back({id});
  if (options.all)
    if (auto bad = list_chats(all, {}, chats))
      return complain(bad);
  exported_file to{options.file};
  if (auto bad = to.open())
    return complain(bad);
  int code = 0;
  size_t done = 0;
  for (const auto& each : chats) {
    const auto& id = each.id;
    auto answer = all.export_file(id);
    if (answer.error.code == errc::conversation_unknown && options.all)
      continue; // deleted since it was listed
    if (answer.error)
      code = complain({answer.error.code, id + ": " + answer.error.text()});
    else if (auto bad = to.write_line(answer.body))
      return complain(bad);
    else
      ++done;
  }
  return end_export(to, options.file, done, code);
}

int import_conversations(const conversations_options& options, conversations_backend& all) {
  imported_file from{options.file};
  std::string text;
  if (auto bad = from.open())
    return complain(bad);
  if (auto bad = from.read(text))
    return complain(bad);
  if (!options.new_id.empty() && !from.is_over())
    return complain({errc::request_invalid, "--id is for a file with one conversation"});
  int code = 0;
  if (text.empty())
    code = complain({errc::request_invalid, from.name() + ": there is nothing in it"});
  size_t seen = 0;
  size_t done = 0;
  while (!text.empty()) {
    auto answer = all.import_file(std::move(text), options.new_id);
    done += answer.error ? 0 : 1;
    if (++seen; answer.error)
      code = complain({answer.error.code, fmt::format("{}, conversation {}: {}", from.name(), seen,
                                                      answer.error.text())});
    if (auto bad = from.read(text))
      code = complain(bad);
  }
  fmt::print(stderr, "{} of {} imported\n", done, seen);
  return code;
}

} // namespace troupe

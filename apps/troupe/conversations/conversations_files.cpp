// Exports to files, and imports from them: one conversation on a line.
#include "apps/troupe/conversations/conversations_verbs.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/conversations/exported_file.hpp"
#include "apps/troupe/conversations/listed_chats.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/json/json_check.hpp"

namespace troupe {

namespace {

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using file_handle = std::unique_ptr<std::FILE, close_file>;

bool is_standard(const std::string& name) {
  return name.empty() || name == "-";
}

failure file_failure(const std::string& name) {
  return {errc::config_invalid, fmt::format("{}: {}", name, std::strerror(errno))};
}

failure read_all(std::FILE* from, const std::string& name, std::string& out) {
  char bytes[65536];
  while (auto count = std::fread(bytes, 1, sizeof bytes, from))
    out.append(bytes, count);
  return std::ferror(from) != 0 ? file_failure(name) : failure{};
}

/// Returns the texts of a file: one per line, or the whole if it is a single one.
std::vector<std::string> texts_of(const std::string& content) {
  if (is_json_object(content))
    return {content};
  std::vector<std::string> out;
  for (size_t at = 0; at < content.size();) {
    auto end = std::min(content.find('\n', at), content.size());
    if (content.find_first_not_of(" \t\r\n", at) < end)
      out.push_back(content.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

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
  file_handle file;
  auto name = is_standard(options.file) ? "standard input" : options.file;
  if (!is_standard(options.file)) {
    file.reset(std::fopen(options.file.c_str(), "rbe"));
    if (!file)
      return complain(file_failure(name));
  }
  std::string content;
  if (auto bad = read_all(file ? file.get() : stdin, name, content))
    return complain(bad);
  auto texts = texts_of(content);
  if (!options.new_id.empty() && texts.size() != 1)
    return complain({errc::request_invalid, "--id is for a file with one conversation"});
  int code =
      texts.empty() ? complain({errc::request_invalid, name + ": there is nothing in it"}) : 0;
  size_t done = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    auto answer = all.import_file(texts[i], options.new_id);
    if (answer.error)
      code = complain({answer.error.code,
                       fmt::format("{}, conversation {}: {}", name, i + 1, answer.error.text())});
    else
      ++done;
  }
  fmt::print(stderr, "{} of {} imported\n", done, texts.size());
  return code;
}

} // namespace troupe

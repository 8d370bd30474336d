#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include <poll.h>
#include <unistd.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/lack_of_resources.hpp"
#include "apps/troupe/page.hpp"
#include "messages/terminal_text.hpp"
#include "messages/version.hpp"
#include "transport/dump_protection.hpp"
#include "transport/sqlite/sqlite_store.hpp"
#include "transport/standard_descriptors.hpp"

/// Read by jemalloc: an idle process, too, returns freed memory to the system.
extern "C" const char* const malloc_conf = "background_thread:true";

namespace {

/// Returns whether stdout is a pipe whose reader is gone, as behind `| head`.
bool is_unread() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/// Flushes stdout. A full disk shows only here, and makes the command fail. A reader that has
/// enough is no fault to speak of.
int with_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
    return code;
  if (errno == EPIPE || is_unread())
    return troupe::exit_unread;
  std::fprintf(stderr, "troupe: standard output: %s\n", std::strerror(errno));
  return code == 0 ? troupe::exit_failed : code;
}

/// The second line says whether the web page is in the program.
std::string version_text() {
  const auto reason = troupe::why_no_page();
  return "troupe " + std::string{troupe::version} +
         (reason.empty() ? "\nwith the web page"
                         : "\nwithout the web page: " + std::string{reason});
}

/// Names the commands where there is none, or another word: CLI11 would only say that one is
/// missing. @return false if that is not what is wrong
bool tell_unknown_command(const CLI::App& app) {
  const auto* at = &app;
  auto path = app.get_name();
  for (; !at->get_subcommands().empty(); path += ' ' + at->get_name())
    at = at->get_subcommands().front();
  const auto commands = at->get_subcommands([](const CLI::App*) { return true; });
  const auto words = at->remaining();
  if (commands.empty() || (!words.empty() && words.front().starts_with('-')))
    return false;
  std::string names;
  for (const auto* each : commands)
    names += (names.empty() ? "" : ", ") + each->get_name();
  if (words.empty())
    std::fprintf(stderr, "troupe: a command is missing; there are %s\n%s --help says more\n",
                 names.c_str(), path.c_str());
  else
    std::fprintf(stderr, "troupe: there is no command '%s'; there are %s\n",
                 troupe::terminal_text(words.front()).c_str(), names.c_str());
  return true;
}

} // namespace

int main(int argc, char** argv) {
  troupe::protect_from_dumps(); // keys are in its environment, and it starts MCP servers
  troupe::hold_standard_descriptors();
  std::set_terminate(&troupe::end_for_lack_of_resources);
  troupe::leave_sqlite_memory_uncounted();
  CLI::App app{"Troupe: an actor engine for AI chat", "troupe"};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  troupe::command chosen;
  troupe::add_serve(app, chosen);
  troupe::add_chat(app, chosen);
  troupe::add_mcp(app, chosen);
  troupe::add_conversations(app, chosen);
  troupe::add_model(app, chosen);
  troupe::add_keys(app, chosen);
  troupe::add_cluster(app, chosen);
  troupe::add_store(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& what) {
    if (what.get_exit_code() != 0 && tell_unknown_command(app))
      return troupe::exit_usage;
    return with_output(app.exit(what) == 0 ? 0 : troupe::exit_usage);
  }
  try {
    return with_output(chosen());
  } catch (const std::exception& what) {
    std::fprintf(stderr, "troupe: %s\n", troupe::in_words(what).c_str());
    return troupe::exit_failed;
  }
}

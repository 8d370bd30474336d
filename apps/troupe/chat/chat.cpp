#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/troupe/chat/chat_backend.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/engine_options.hpp"
#include "apps/troupe/folder_owner.hpp"
#include "apps/troupe/signals.hpp"
#include "apps/troupe/terminal/turn_printer.hpp"
#include "messages/ids.hpp"

namespace troupe {

namespace {

struct chat_options {
  engine_options engine;
  std::string prompt;
  std::string server;
  bool events = false;
};

/// Makes the backend that runs the turns. Returns nullptr after printing why there is none.
std::unique_ptr<chat_backend> make_backend(const chat_options& options) {
  auto session = make_id("chat_");
  if (!options.server.empty())
    return remote_backend(options.server, session, options.engine.model);
  engine_config config;
  if (auto bad = options.engine.load(config)) {
    fmt::print(stderr, "troupe: {}\n", bad.text());
    return nullptr;
  }
  engine_options::print_notes(config);
  std::string told;
  if (auto bad = become_owner_of(config, told)) {
    fmt::print(stderr, "troupe: {}\n", bad.text());
    return nullptr;
  }
  if (!told.empty() && !options.events)
    fmt::print(stderr, "troupe: {}\n", told);
  config.shards = 1;
  if (config.models.empty() && !options.events)
    fmt::print(stderr, "No model is configured: a scripted model answers.\n");
  return local_backend(std::move(config), session);
}

/// What the signal thread knows of the conversation.
struct terminal_chat {
  std::unique_ptr<chat_backend> backend;
  std::atomic<bool> in_turn{false};
  std::atomic<bool> stopping{false};
  std::atomic<bool> ending{false}; ///< nothing is asked any more
};

int run_turn(terminal_chat& talk, const chat_options& options, const std::string& prompt) {
  turn_printer printer{options.events};
  talk.stopping = false;
  talk.in_turn = true;
  auto bad = talk.backend->run(prompt, [&](std::string_view json) { printer.print(json); });
  talk.in_turn = false;
  if (bad) {
    fmt::print(stderr, "troupe: {}\n", bad.text());
    return exit_failed;
  }
  return printer.exit_code();
}

int converse(terminal_chat& talk, const chat_options& options) {
  auto terminal = isatty(STDIN_FILENO) != 0;
  for (std::string line;;) {
    if (terminal)
      fmt::print(stderr, "> ");
    if (!std::getline(std::cin, line))
      return 0;
    if (!line.empty())
      run_turn(talk, options, line);
    if (talk.ending)
      return exit_aborted;
  }
}

int chat(const chat_options& options) {
  block_signals();
  auto talk = std::make_shared<terminal_chat>();
  talk->backend = make_backend(options);
  if (!talk->backend)
    return exit_usage;
  on_signals([talk](int signal) {
    if (signal == SIGHUP)
      ignore_hangups();
    talk->ending = signal != SIGINT;
    if (!talk->in_turn || talk->stopping.exchange(true))
      _exit(exit_aborted); // at the prompt, or the second time
    talk->backend->abort();
  });
  auto code =
      options.prompt.empty() ? converse(*talk, options) : run_turn(*talk, options, options.prompt);
  talk->backend.reset();
  return code;
}

} // namespace

void add_chat(CLI::App& app, command& chosen) {
  auto options = std::make_shared<chat_options>();
  auto* sub =
      app.add_subcommand("chat", "Chat in the terminal; Ctrl-C aborts the answer, twice quits");
  options->engine.add_to(*sub);
  options->engine.add_data_to(*sub);
  sub->add_option("PROMPT", options->prompt, "Ask this and end; without it, ask at a prompt");
  sub->add_option("--server", options->server, "Use this `troupe serve`")
      ->type_name("URL")
      ->check(not_empty);
  sub->add_flag("--events", options->events, "Print the native events as lines of JSON");
  sub->callback([options, &chosen] { chosen = [options] { return chat(*options); }; });
}

} // namespace troupe

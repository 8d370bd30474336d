#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "apps/engine/engine.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/data_folder.hpp"
#include "apps/troupe/engine_options.hpp"
#include "apps/troupe/environment_options.hpp"
#include "apps/troupe/folder_owner.hpp"
#include "apps/troupe/gathering_sink.hpp"
#include "apps/troupe/lack_of_resources.hpp"
#include "apps/troupe/page.hpp"
#include "apps/troupe/signals.hpp"
#include "messages/ports/log_line.hpp"
#include "messages/ports/log_port.hpp"
#include "transport/descriptor_limit.hpp"

namespace troupe {

// -- spdlog log -----------------------------------------------------------------------------------

namespace {

spdlog::level::level_enum level_of(log_level level) {
  switch (level) {
  case log_level::debug:
    return spdlog::level::debug;
  case log_level::info:
    return spdlog::level::info;
  case log_level::warning:
    return spdlog::level::warn;
  case log_level::error:
    return spdlog::level::err;
  }
  return spdlog::level::info;
}

class spdlog_log final : public log_port {
public:
  explicit spdlog_log(spdlog::level::level_enum level)
      : logger_{"troupe", std::make_shared<gathering_sink>(STDERR_FILENO)} {
    logger_.set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})",
                        spdlog::pattern_time_type::utc);
    logger_.set_level(level);
  }

  bool takes(log_level level) const override { return logger_.should_log(level_of(level)); }

  void write(log_level level, std::string_view what, std::string_view rest) override {
    fmt::memory_buffer text;
    fmt::format_to(std::back_inserter(text), R"("event":"{}"{}{})", what, rest.empty() ? "" : ",",
                   rest);
    logger_.log(level_of(level), std::string_view{text.data(), text.size()});
  }

private:
  spdlog::logger logger_;
};

/// Makes the log. It writes on a thread of its own, so that a slow reader of stderr slows no
/// caller; the oldest lines are lost if the reader cannot keep up. Its destructor writes the rest.
/// @param level the least one that is taken: "debug", "info", "warning" or "error"
/// @return nullptr with "off"
std::shared_ptr<log_port> make_spdlog_log(const std::string& level) {
  auto least = spdlog::level::from_str(level);
  return least == spdlog::level::off ? nullptr : std::make_shared<spdlog_log>(least);
}

// -- serve ----------------------------------------------------------------------------------------

/// Threads beside the loops: detached actors, the clock, the starts of programs, signals.
constexpr size_t other_threads = 10;

struct serve_options {
  engine_options engine;
  std::string listen;
  size_t shards = 0;
  int drain_seconds = -1;
  std::string log_level;
  bool anyone = false;
  bool no_page = false;
};

int fail_serve(const failure& why) {
  fmt::print(stderr, "troupe: {}\n", why.text());
  return exit_usage;
}

/// Warns that chats are in memory only, if the operator did not ask for that.
void tell_no_store(const engine_config& config) {
  const auto wanted = !default_data_folder().empty();
  const auto* text = wanted ? "chats are in memory only"
                            : "chats are in memory only: neither XDG_DATA_HOME nor HOME says where "
                              "to keep them; name a folder with --data";
  write_log(config.log.get(), wanted ? log_level::info : log_level::warning, "store",
            log_line{}.add("state", "none").add("message", text));
}

void tell_notes(const engine_config& config) {
  for (const auto& each : config.notes)
    write_log(config.log.get(), log_level::warning, "configuration",
              log_line{}.add("message", each));
}

void announce(engine& running, const engine_config& config) {
  auto colon = config.listen.rfind(':');
  fmt::print("listening on http://{}:{}\n", config.listen.substr(0, colon), running.port());
  std::fflush(stdout);
  if (!config.store.keeps())
    tell_no_store(config);
  log_line line;
  if (!config.model_source.empty()) {
    const auto& model = config.models.begin()->second;
    line.add("model", model.name).add("provider", model.provider).add("from", config.model_source);
    return write_log(config.log.get(), log_level::info, "model", line);
  }
  if (!running.uses_scripted_model())
    return;
  line.add("message", "no model is configured: a scripted model answers. Set OPENAI_API_KEY, give "
                      "--model-url, or name a configuration with --config");
  write_log(config.log.get(), log_level::warning, "no_model", line);
}

/// A client and its request to a model take two descriptors, an MCP server a few more.
void allow_descriptors(const engine_config& config) {
  constexpr size_t cheap = 65'536;
  const auto clients = config.limits.server.max_connections;
  const auto wanted = 2 * clients + 1000;
  if (const auto allowed = set_descriptor_limit(wanted, std::max(wanted, cheap));
      allowed < 2 * clients) {
    log_line line;
    line.add("descriptors", allowed).add("maxConnections", clients);
    line.add("message", "this process may not open enough descriptors for all clients: raise its "
                        "hard limit (ulimit -Hn), or set limits.maxConnections");
    write_log(config.log.get(), log_level::warning, "descriptor_limit", line);
  }
}

void log_stop(const engine_config& config) {
  log_line line;
  line.add("drainSeconds", config.limits.drain.count() / 1000);
  line.add("message", "shutting down; a second signal ends at once");
  write_log(config.log.get(), log_level::info, "stop", line);
}

/// Gives browsers the page that the program has, or programs the reason why it has none.
void add_page(const serve_options& options, engine_config& out) {
  out.page = out.page && !options.no_page;
  out.page_files = page_files();
  if (out.page && !why_no_page().empty())
    out.page_note = fmt::format("This program has no web page: {}.\n", why_no_page());
}

/// A server of root works as the owner of its data folder.
void choose_user(engine_config& config) {
  std::string told;
  if (auto bad = become_owner_of(config, told))
    throw start_error{std::move(bad)};
  if (!told.empty())
    write_log(config.log.get(), log_level::info, "user",
              log_line{}.add("user", ::geteuid()).add("message", told));
}

/// Reads the file, then lets the command line overrule it.
failure configure(const serve_options& options, engine_config& out) {
  if (auto bad = options.engine.load(out))
    return bad;
  if (!options.listen.empty())
    out.listen = options.listen;
  if (options.shards != 0)
    out.shards = options.shards;
  if (options.drain_seconds >= 0)
    out.limits.drain = std::chrono::seconds{options.drain_seconds};
  out.auth.anyone = out.auth.anyone || options.anyone;
  if (!options.log_level.empty())
    out.logs.level = options.log_level;
  out.log = make_spdlog_log(out.logs.level);
  add_page(options, out);
  return {};
}

int serve(const serve_options& options) {
  block_signals();
  engine_config config;
  if (auto bad = configure(options, config))
    return fail_serve(bad);
  tell_notes(config);
  choose_user(config);
  allow_descriptors(config);
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  try_threads((config.shards == 0 ? cores : config.shards) + other_threads);
  engine running{config};
  if (auto bad = running.listen(config.listen))
    return fail_serve(bad);
  announce(running, config);
  wait_for_signal();
  ignore_hangups();
  log_stop(config);
  on_signals([](int) { _exit(exit_aborted); });
  running.shutdown(config.limits.drain);
  return 0;
}

} // namespace

void add_serve(CLI::App& app, command& chosen) {
  auto options = std::make_shared<serve_options>();
  auto* sub = app.add_subcommand("serve", "Serve chats over HTTP");
  options->engine.is_node = true;
  options->engine.add_to(*sub);
  options->engine.add_data_to(*sub);
  sub->add_option("--listen", options->listen,
                  "Address, by default 127.0.0.1:8080; port 0 takes a free one")
      ->type_name("HOST:PORT")
      ->check(not_empty);
  sub->add_option("--shards", options->shards, "Event loops; one per core unless given")
      ->check(CLI::Range(0, 1024));
  sub->add_option("--drain-seconds", options->drain_seconds,
                  "How long running turns may go on at shutdown")
      ->check(CLI::Range(0, 86400));
  sub->add_flag("--anyone", options->anyone,
                "Let everybody who reaches the address use it, without API keys");
  sub->add_flag("--no-page", options->no_page, "Show browsers no web page");
  sub->add_option("--log-level", options->log_level, "Least level of the log lines on stderr")
      ->check(CLI::IsMember({"debug", "info", "warning", "error", "off"}));
  sub->callback([options, sub, &chosen] {
    take_environment(*sub);
    chosen = [options] { return serve(*options); };
  });
}

} // namespace troupe

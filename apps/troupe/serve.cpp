#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "apps/engine/engine.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/engine_options.hpp"
#include "apps/troupe/signals.hpp"

namespace troupe {

namespace {

struct serve_options {
  engine_options engine;
  std::string listen;
  size_t shards = 0;
  int drain_seconds = -1;
};

int fail(const failure& why) {
  fmt::print(stderr, "troupe: {}\n", why.text());
  return exit_usage;
}

void announce(engine& running, const engine_config& config) {
  auto colon = config.listen.rfind(':');
  fmt::print("listening on http://{}:{}\n", config.listen.substr(0, colon), running.port());
  std::fflush(stdout);
  if (running.uses_scripted_model())
    spdlog::warn("no model is configured: a scripted model answers. Set OPENAI_API_KEY, give "
                 "--model-url, or name a configuration with --config");
}

int serve(const serve_options& options) {
  block_signals();
  spdlog::set_default_logger(spdlog::stderr_color_mt("troupe"));
  engine_config config;
  if (auto bad = options.engine.load(config))
    return fail(bad);
  if (!options.listen.empty())
    config.listen = options.listen;
  if (options.shards != 0)
    config.shards = options.shards;
  if (options.drain_seconds >= 0)
    config.limits.drain = std::chrono::seconds{options.drain_seconds};
  engine running{config};
  if (auto bad = running.listen(config.listen))
    return fail(bad);
  announce(running, config);
  wait_for_signal();
  spdlog::info("shutting down; running turns have {} s. A second signal ends at once",
               config.limits.drain.count() / 1000);
  on_signals([](int) { _exit(exit_aborted); });
  running.shutdown(config.limits.drain);
  return 0;
}

} // namespace

void add_serve(CLI::App& app, command& chosen) {
  auto options = std::make_shared<serve_options>();
  auto* sub = app.add_subcommand("serve", "Serve chats over HTTP");
  options->engine.add_to(*sub);
  sub->add_option("--listen", options->listen, "Address; port 0 takes a free one")
      ->type_name("HOST:PORT");
  sub->add_option("--shards", options->shards, "Event loops; one per core unless given");
  sub->add_option("--drain-seconds", options->drain_seconds,
                  "How long running turns may go on at shutdown");
  sub->callback([options, &chosen] { chosen = [options] { return serve(*options); }; });
}

} // namespace troupe

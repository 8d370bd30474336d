#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "apps/model/scripted_model.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/signals.hpp"
#include "transport/loop/loop.hpp"

namespace troupe {

namespace {

struct model_options {
  std::string listen{"127.0.0.1:8000"};
  size_t shards = 1;
  size_t max_running = 0;
};

std::string describe_scripts() {
  std::string text = "Scripts, chosen by the request's model name:\n";
  for (const auto& script : scripts())
    text += fmt::format("  {:<15}  {}\n", script.name, script.description);
  return text;
}

int run_model(const model_options& options) {
  block_signals();
  shards loops{options.shards};
  scripted_model model{loops, options.max_running};
  if (auto bad = model.listen(options.listen)) {
    fmt::print(stderr, "troupe: {}\n", bad.text());
    return exit_usage;
  }
  auto colon = options.listen.rfind(':');
  fmt::print("listening on http://{}:{}\n", options.listen.substr(0, colon), model.port());
  std::fflush(stdout);
  wait_for_signal();
  model.close();
  return 0;
}

} // namespace

void add_model(CLI::App& app, command& chosen) {
  auto options = std::make_shared<model_options>();
  auto* sub =
      app.add_subcommand("model", "Run a scripted model that speaks the APIs of five providers");
  sub->add_option("--listen", options->listen,
                  "Address, by default 127.0.0.1:8000; port 0 takes a free one")
      ->type_name("HOST:PORT");
  sub->add_option("--shards", options->shards, "Event loops; 0: one per core")
      ->check(CLI::Range(0, 1024));
  sub->add_option("--max-running", options->max_running,
                  "Answers that take time and run at once on each loop; the others wait; 0: all")
      ->check(CLI::Range(0, 1'000'000));
  sub->footer(describe_scripts());
  sub->callback([options, &chosen] { chosen = [options] { return run_model(*options); }; });
}

} // namespace troupe

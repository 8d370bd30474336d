#include <cstdio>
#include <exception>
#include <string>

#include "apps/troupe/commands.hpp"
#include "messages/version.hpp"
#include "transport/sqlite/sqlite_store.hpp"

/// Read by jemalloc: what was freed goes back to the system also while nothing else happens.
extern "C" const char* const malloc_conf = "background_thread:true";

int main(int argc, char** argv) {
  troupe::leave_sqlite_memory_uncounted();
  CLI::App app{"Troupe: an actor engine for AI chat", "troupe"};
  app.set_version_flag("--version", std::string{"troupe "} + std::string{troupe::version});
  app.require_subcommand(1);
  troupe::command chosen;
  troupe::add_serve(app, chosen);
  troupe::add_chat(app, chosen);
  troupe::add_mcp(app, chosen);
  troupe::add_conversations(app, chosen);
  troupe::add_model(app, chosen);
  troupe::add_keys(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& what) {
    return app.exit(what) == 0 ? 0 : troupe::exit_usage;
  }
  try {
    return chosen();
  } catch (const std::exception& what) {
    std::fprintf(stderr, "troupe: %s\n", what.what());
    return troupe::exit_failed;
  }
}

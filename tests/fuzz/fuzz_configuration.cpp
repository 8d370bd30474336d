// Configurations: what is taken can be used and written down, what is refused says where and why.
// The last byte chooses what the text is: 0 a configuration; 1 an entry of mcpServers, behind a
// line with its name; 2 the same as it is kept, without variables.
#include <string>

#include "apps/engine/config.hpp"
#include "apps/engine/configuration/config_check.hpp"
#include "apps/engine/configuration/server_entry.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"

using namespace troupe;

namespace {

/// A kept server is the same after the next start.
void write_and_read(const mcp_server_config& server) {
  const auto entry = print_server_entry(server);
  require_object(entry);
  mcp_server_config again;
  require(!parse_server_entry(server.name, entry, again), "a server that was taken can be kept");
  require(listing{again}.text() == listing{server}.text(), "a kept server is the same");
}

void check_fields(const mcp_server_config& server) {
  require(!check(server), "a server that was read can be started");
  for (const auto& [name, value] : server.http_headers)
    require(!name.empty() && value.find_first_of("\r\n") == std::string::npos,
            "no header field ends its line");
}

void read_config(std::string_view text) {
  engine_config config;
  config.listen = "kept";
  if (const auto bad = parse_config(text, config)) {
    require_refusal(bad, errc::config_invalid);
    require(config.listen == "kept" && config.models.empty() && config.mcp_servers.empty(),
            "a refused configuration changes nothing");
    return;
  }
  require(!check_config(config), "a configuration that was read can be used");
  for (const auto& server : config.mcp_servers) {
    if (!server.fault.empty())
      continue; // a variable is not set: it is never started
    check_fields(server);
    write_and_read(server);
  }
  for (const auto& [name, model] : config.models) {
    require(model.name == name && model_url_fault(model.base_url).empty(),
            "a model has its name and an address");
    require_object(model.parameters, true);
  }
  bound_times(config);
}

template <class Parse>
void read_server(std::string_view text, Parse parse) {
  const auto name = take_line(text);
  mcp_server_config server;
  server.command = "kept";
  if (const auto bad = parse(name, text, server)) {
    require_refusal(bad, errc::config_invalid);
    require(server.command == "kept", "a refused entry changes nothing");
    return;
  }
  require(server.name == name, "a server has its name");
  check_fields(server);
  write_and_read(server);
}

constexpr void (*readers[])(std::string_view) = {
    read_config,
    [](std::string_view text) { read_server(text, parse_server); },
    [](std::string_view text) { read_server(text, parse_server_entry); },
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return read_by_choice(readers, data, size);
}

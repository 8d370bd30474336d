// An engine with MCP servers: the demo server as a child, or others.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/engine/engine.hpp"
#include "tests/transport/http_server/http_server_fixture.hpp"

namespace troupe::test {

/// The demo server, which offers tools and nothing else.
inline mcp_server_config demo_server_entry(const std::string& name = "demo") {
  mcp_server_config out;
  out.name = name;
  out.type = "stdio";
  out.command =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "troupe-demo-mcp").string();
  return out;
}

/// An engine that listens, with its servers connected.
class running_engine {
public:
  explicit running_engine(std::vector<mcp_server_config> servers) : engine_{config(servers)} {
    if (auto bad = engine_.listen("127.0.0.1:0"))
      throw std::runtime_error{bad.text()};
    engine_.wait_for_servers(patience);
  }

  engine* operator->() { return &engine_; }
  uint16_t port() const { return engine_.port(); }

private:
  static engine_config config(const std::vector<mcp_server_config>& servers) {
    engine_config out;
    out.shards = 1;
    out.mcp_servers = servers;
    return out;
  }

  engine engine_;
};

} // namespace troupe::test

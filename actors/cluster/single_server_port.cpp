#include "actors/cluster/single_server_port.hpp"

#include <utility>

#include <caf/send.hpp>

#include "actors/cluster/single_server_link.hpp"
#include "actors/urgent.hpp"

namespace troupe {

namespace {

class single_server_channel final : public mcp_channel {
public:
  explicit single_server_channel(single_server_link_actor link) : link_{std::move(link)} {}
  ~single_server_channel() override { exit_now(link_, {}, caf::exit_reason::user_shutdown); }

  void send(mcp_outbound message) override { caf::anon_send(link_, std::move(message)); }
  void close() override { caf::anon_send(link_, atom::disconnect_v); }

private:
  single_server_link_actor link_;
};

} // namespace

std::unique_ptr<mcp_channel> single_server_port::open(const mcp_server_config& config,
                                                      uint64_t channel, receiver deliver) {
  if (config.nodes != server_nodes::one)
    return here_.open(config, channel, std::move(deliver));
  return std::make_unique<single_server_channel>(
      spawn_single_server_link(*system_, {&here_, &there_, config, channel, std::move(deliver)}));
}

} // namespace troupe

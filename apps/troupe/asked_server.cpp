#include "apps/troupe/asked_server.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "apps/troupe/server_wait.hpp"

namespace troupe {

asked_server::~asked_server() {
  client_.reset();
  if (engine_)
    engine_->shutdown(std::chrono::milliseconds{0});
}

failure asked_server::start(std::unique_ptr<engine> made, const engine_config& config,
                            std::string key) {
  engine_ = std::move(made);
  if (auto bad = engine_->listen("127.0.0.1:0"))
    return bad;
  client_ = std::make_unique<server_client>(fmt::format("http://127.0.0.1:{}", engine_->port()),
                                            std::move(key));
  wait_for_servers(*engine_, config);
  return {};
}

} // namespace troupe

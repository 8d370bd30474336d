#include "transport/http_server/http_server.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "transport/http_server/listener.hpp"
#include "transport/http_server/server_shard.hpp"
#include "transport/loop/loop.hpp"
#include "transport/usable_memory.hpp"

namespace troupe {

namespace {

constexpr size_t most_by_default = size_t{256} << 20;

/// An eighth of the memory leaves room for what becomes of the bytes: a body is parsed, and a
/// history kept.
server_limits with_budget(server_limits limits) {
  if (limits.max_buffered_bytes == 0)
    limits.max_buffered_bytes = std::min(usable_memory() / 8, most_by_default);
  return limits;
}

} // namespace

struct http_server::impl {
  impl(shards& on, server_limits bounds, request_handler to, request_gate at)
      : home{on}, shared{with_budget(bounds), std::move(to), std::move(at)} {}

  /// Runs `work` for each shard on its thread and waits for it.
  template <class Work>
  void on_each_shard(Work&& work) {
    for (size_t i = 0; i < parts.size(); ++i)
      home.at(i).call([&] { work(parts[i], i); });
  }

  /// The objects on one loop.
  struct part {
    std::unique_ptr<server_shard> shard;
    std::unique_ptr<listener> accepting;
  };

  shards& home;
  shared_server shared;
  std::vector<part> parts;
  uint16_t port = 0;
};

http_server::http_server(shards& home, server_limits limits, request_handler handler,
                         request_gate gate)
    : impl_{std::make_unique<impl>(home, limits, std::move(handler), std::move(gate))} {}

http_server::~http_server() {
  close();
}

failure http_server::listen(std::string_view address) {
  auto& self = *impl_;
  auto opened = open_listening_sockets(address, self.home.size());
  if (opened.error)
    return opened.error;
  self.parts.resize(self.home.size());
  bool usable = true;
  self.on_each_shard([&](impl::part& part, size_t index) {
    part.shard = std::make_unique<server_shard>(self.home.at(index), self.shared);
    usable = usable && part.shard->is_usable();
  });
  if (!usable) {
    close();
    return {errc::internal, "libwebsockets cannot start on libev; is its libev plugin installed?"};
  }
  self.port = opened.port;
  self.on_each_shard([&](impl::part& part, size_t index) {
    part.accepting =
        std::make_unique<listener>(self.home.at(index), std::move(opened.sockets[index]),
                                   [shard = part.shard.get()](int socket, const std::string& peer) {
                                     shard->adopt(socket, peer);
                                   });
  });
  return {};
}

uint16_t http_server::port() const {
  return impl_->port;
}

void http_server::announce_end() {
  impl_->on_each_shard([](impl::part& part, size_t) { part.shard->announce_end(); });
}

void http_server::stop_listening() {
  impl_->on_each_shard([](impl::part& part, size_t) {
    if (part.accepting)
      part.accepting->accept_waiting();
    part.accepting.reset();
  });
}

void http_server::stop_accepting() {
  impl_->on_each_shard([](impl::part& part, size_t) {
    part.accepting.reset();
    part.shard->retire();
  });
}

void http_server::close() {
  impl_->on_each_shard([](impl::part& part, size_t) {
    part.accepting.reset();
    part.shard.reset();
  });
  impl_->parts.clear();
}

size_t http_server::connections() const {
  return impl_->shared.open.load(std::memory_order_relaxed);
}

client_load http_server::load() const {
  const auto& budget = impl_->shared.budget;
  return {connections(), budget.bytes(), budget.most(), budget.refusals()};
}

} // namespace troupe

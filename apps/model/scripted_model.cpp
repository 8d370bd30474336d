#include "apps/model/scripted_model.hpp"

#include <utility>

#include <fmt/format.h>

#include "apps/model/model_routes.hpp"
#include "transport/http_server/http_server.hpp"
#include "transport/loop/loop.hpp"

namespace troupe {

namespace {

/// Wide ones: it is the client's limits that are under test.
server_limits limits() {
  server_limits out;
  out.max_connections = 100'000;
  out.max_body_bytes = 64 * 1024 * 1024;
  return out;
}

/// Returns the host part of an address in the form in which a client on this machine reaches it.
std::string reachable_host(std::string_view address) {
  const auto host = address.substr(0, address.rfind(':'));
  if (host.empty() || host == "0.0.0.0" || host == "*")
    return "127.0.0.1";
  return host == "[::]" ? "[::1]" : std::string{host};
}

} // namespace

struct scripted_model::impl {
  impl(shards& home, size_t max_running, bool shows_requests)
      : desk{std::make_shared<scripted::model_routes>(home, max_running, shows_requests)},
        server{home, limits(),
               [to = desk](server_request&& request, std::shared_ptr<http_response> response) {
                 to->take(std::move(request), std::move(response));
               }} {}

  std::shared_ptr<scripted::model_routes> desk;
  http_server server;
  std::string host;
};

scripted_model::scripted_model(shards& home, size_t max_running, bool shows_requests)
    : impl_{std::make_unique<impl>(home, max_running, shows_requests)} {}

scripted_model::~scripted_model() {
  close();
}

failure scripted_model::listen(std::string_view address) {
  impl_->host = reachable_host(address);
  return impl_->server.listen(address);
}

uint16_t scripted_model::port() const {
  return impl_->server.port();
}

std::string scripted_model::base_url() const {
  return port() == 0 ? std::string{} : fmt::format("http://{}:{}/v1", impl_->host, port());
}

void scripted_model::close() {
  impl_->server.close();
  impl_->desk->drop_answers();
}

} // namespace troupe

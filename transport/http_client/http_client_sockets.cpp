#include "transport/http_client/http_client_sockets.hpp"

#include "transport/http_client/http_client_lane.hpp"

namespace troupe {

http_client_sockets::~http_client_sockets() {
  for (auto& each : watched_)
    if (each != nullptr)
      ev_io_stop(home_.native(), &each->io);
}

void http_client_sockets::watch(http_client_lane& lane, curl_socket_t socket, int what) {
  const auto index = static_cast<size_t>(socket);
  if (index >= watched_.size())
    watched_.resize(index + 1);
  auto& known = watched_[index];
  if (what == CURL_POLL_REMOVE && (known == nullptr || known->lane != &lane))
    return; // meanwhile the socket belongs to another lane
  if (known != nullptr)
    ev_io_stop(home_.native(), &known->io);
  if (what == CURL_POLL_REMOVE)
    return;
  if (known == nullptr)
    known = std::make_unique<watched>();
  ev_io_init(&known->io, &http_client_sockets::on_ready, socket,
             ((what & CURL_POLL_IN) != 0 ? EV_READ : 0) |
                 ((what & CURL_POLL_OUT) != 0 ? EV_WRITE : 0));
  known->io.data = known.get();
  known->lane = &lane;
  ev_io_start(home_.native(), &known->io);
}

void http_client_sockets::on_ready(struct ev_loop*, ev_io* io, int events) noexcept {
  static_cast<watched*>(io->data)->lane->act(io->fd,
                                             ((events & EV_READ) != 0 ? CURL_CSELECT_IN : 0) |
                                                 ((events & EV_WRITE) != 0 ? CURL_CSELECT_OUT : 0));
}

} // namespace troupe

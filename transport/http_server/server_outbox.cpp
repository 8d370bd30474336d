#include "transport/http_server/server_outbox.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr uint64_t least_progress = 16 * 1024;
constexpr size_t usual_capacity = 500; // a head and a few events; with the '\0' below 512

} // namespace

std::string& server_outbox::buffer() {
  if (bytes_.empty()) {
    bytes_.reserve(usual_capacity);
    bytes_.assign(server_socket::head_room, '\0');
    sent_ = bytes_.size();
  }
  return bytes_;
}

bool server_outbox::write_to(server_socket& to) {
  if (to.is_congested())
    return true;
  if (pending() == 0) {
    blocked_ = false;
    return true;
  }
  const auto size = std::min(pending(), server_socket::piece);
  if (!to.write(bytes_.data() + sent_, size))
    return false;
  sent_ += size;
  moved_ = clock::now();
  blocked_ = pending() > 0 || to.is_congested();
  if (pending() > 0) {
    if (sent_ > 4 * server_socket::piece && sent_ > bytes_.size() / 2) {
      bytes_.erase(server_socket::head_room, sent_ - server_socket::head_room);
      sent_ = server_socket::head_room;
    }
    to.want_writable();
  } else {
    std::string{}.swap(bytes_); // the next connection that writes finds it in the caches
  }
  return true;
}

bool server_outbox::is_stalled(const server_socket& to, clock::time_point now,
                               std::chrono::milliseconds limit) {
  if (!blocked_)
    return false;
  // The kernel reports room only when a third of its buffer is free. A byte now and then is no
  // progress: it would hold the whole answer for ever.
  if (const auto taken = to.acknowledged(); taken - acknowledged_ >= least_progress) {
    acknowledged_ = taken;
    moved_ = now;
  }
  return now - moved_ > limit;
}

} // namespace troupe

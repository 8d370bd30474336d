#include "transport/http_server/server_shard.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>
#include <utility>

#include <libwebsockets.h>
#include <unistd.h>

#include "transport/http_server/server_connection.hpp"

namespace troupe {

namespace {

/// Connections beyond the limit that get a 503; further ones are closed at once.
constexpr size_t refusal_room = 64;

/// How long the head of an answer may wait for its first bytes.
constexpr auto hold_time = std::chrono::milliseconds{5};

/// libwebsockets counts its contexts and loads its plugins without a lock.
std::mutex library_mutex;

int on_event(lws* wsi, lws_callback_reasons reason, void*, void* in, size_t size) noexcept {
  const auto connection = static_cast<server_connection*>(lws_get_opaque_user_data(wsi));
  if (connection == nullptr)
    return 0;
  switch (reason) {
  case LWS_CALLBACK_RAW_ADOPT:
    connection->opened(server_socket{wsi});
    break;
  case LWS_CALLBACK_RAW_RX:
    connection->receive({static_cast<const char*>(in), size});
    break;
  case LWS_CALLBACK_RAW_WRITEABLE:
    connection->touch();
    break;
  case LWS_CALLBACK_RAW_CLOSE:
    lws_set_opaque_user_data(wsi, nullptr);
    connection->closed();
    break;
  default:
    break;
  }
  return 0;
}

const lws_protocols protocols[] = {
    {"http", on_event, 0, 0, 0, nullptr, 0},
    {nullptr, nullptr, 0, 0, 0, nullptr, 0},
};

lws_context* make_context(struct ev_loop* on) {
  std::array<void*, 1> loops{on};
  lws_context_creation_info info{};
  info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
  info.protocols = protocols;
  info.options = LWS_SERVER_OPTION_LIBEV;
  info.foreign_loops = loops.data();
  info.pt_serv_buf_size = static_cast<unsigned>(server_socket::piece) + LWS_PRE;
  info.vhost_name = "http";
  const std::lock_guard guard{library_mutex};
  lws_set_log_level(0, nullptr);
  return lws_create_context(&info);
}

} // namespace

server_shard::server_shard(loop& home, const server_limits& limits, const request_handler& handler,
                           std::atomic<size_t>& open)
    : home_{home}, limits_{limits}, handler_{handler}, open_{open}, context_{make_context(
                                                                        home.native())},
      release_{home, [this] { release_held(); }}, deadlines_{home, [this] { check_deadlines(); }} {
  home_.add(loop::stage::writes, *this);
}

server_shard::~server_shard() {
  home_.remove(loop::stage::writes, *this);
  release_.stop();
  deadlines_.stop();
  release_held(); // sends answers that were begun
  run();
  while (!connections_.empty()) {
    auto& connection = *connections_.back();
    connection.close();
    connection.closed();
  }
  const std::lock_guard guard{library_mutex};
  if (context_ != nullptr)
    lws_context_destroy(context_);
}

void server_shard::adopt(int socket, std::string peer) {
  const auto before = open_.fetch_add(1, std::memory_order_relaxed);
  if (before >= limits_.max_connections + refusal_room) {
    open_.fetch_sub(1, std::memory_order_relaxed);
    ::close(socket);
    return;
  }
  auto& connection =
      *connections_.emplace_back(std::make_unique<server_connection>(*this, std::move(peer)));
  connection.slot = connections_.size() - 1;
  lws_adopt_desc_t what{};
  what.vh = lws_get_vhost_by_name(context_, "http");
  // Raw, because libwebsockets' own HTTP parser does not fit this server: it unescapes queries
  // ("a=%26" is lost), knows eight methods and no chunked bodies, drops malformed requests without
  // an answer, and while an answer is under way it neither notices that the client left nor lets
  // the loop sleep when the client sends.
  what.type = LWS_ADOPT_SOCKET;
  what.fd.sockfd = socket;
  what.opaque = &connection;
  if (lws_adopt_descriptor_vhost_via_info(&what) == nullptr) {
    connection.closed(); // libwebsockets has closed the socket
    return;
  }
  if (before >= limits_.max_connections)
    connection.refuse(refusal::too_many);
  if (!std::exchange(ticking_, true))
    deadlines_.start(check_interval());
}

void server_shard::retire() {
  retiring_ = true;
  for (const auto& connection : connections_)
    connection->retire();
}

void server_shard::touch(server_connection& connection) {
  if (!std::exchange(connection.touched, true))
    touched_.push_back(&connection);
}

void server_shard::hold(server_connection& connection) {
  if (held_.empty())
    release_.start(hold_time);
  held_.push_back(&connection);
}

void server_shard::release_held() {
  for (auto* connection : held_)
    touch(*connection);
  held_.clear();
}

void server_shard::forget(server_connection& connection) {
  if (connection.touched)
    std::replace(touched_.begin(), touched_.end(), &connection,
                 static_cast<server_connection*>(nullptr));
  std::erase(held_, &connection);
  auto& place = connections_[connection.slot];
  gone_.push_back(std::move(place));
  if (&place != &connections_.back()) {
    place = std::move(connections_.back());
    place->slot = connection.slot;
  }
  connections_.pop_back();
  open_.fetch_sub(1, std::memory_order_relaxed);
}

bool server_shard::run() {
  gone_.clear();
  if (touched_.empty())
    return false;
  flushing_.swap(touched_);
  for (auto* connection : flushing_) {
    if (connection == nullptr)
      continue;
    connection->touched = false;
    if (!connection->flush())
      connection->close();
  }
  flushing_.clear();
  return true;
}

std::chrono::milliseconds server_shard::check_interval() const {
  const auto shortest =
      std::min({limits_.header_timeout, limits_.body_timeout, limits_.idle_timeout,
                limits_.stall_timeout, limits_.keep_alive, limits_.websocket_ping,
                limits_.websocket_silence, limits_.websocket_close_timeout});
  return std::clamp(shortest / 4, std::chrono::milliseconds{10}, std::chrono::milliseconds{1'000});
}

void server_shard::check_deadlines() {
  ticking_ = !connections_.empty();
  if (!ticking_)
    return;
  const auto now = std::chrono::steady_clock::now();
  for (const auto& connection : connections_)
    connection->check_deadlines(now);
  deadlines_.start(check_interval());
}

} // namespace troupe

#include "transport/http_server/server_shard.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>

#include <libwebsockets.h>
#include <unistd.h>

#include "transport/http_server/server_connection.hpp"

namespace troupe {

namespace {

/// Connections beyond the limit that get a 503; further ones are closed at once.
constexpr size_t refusal_room = 64;

/// Connections that give way at once, how long they must have waited, and how often that is done:
/// so that a flood of clients does not cost a search each.
constexpr size_t at_once = 64;
constexpr auto least_wait = std::chrono::seconds{1};
constexpr auto least_pause = std::chrono::milliseconds{10};

/// How long a client may get nowhere while memory is short.
constexpr auto stuck_time = std::chrono::seconds{5};

/// How long the head of an answer may wait for its first bytes.
constexpr auto hold_time = std::chrono::milliseconds{5};

/// When a client that sends no more is asked whether it still reads: most answers are there sooner.
constexpr auto look_time = std::chrono::milliseconds{200};

/// libwebsockets counts its contexts and loads its plugins without a lock.
std::mutex library_mutex;

int on_event(lws* wsi, lws_callback_reasons reason, void*, void* in, size_t size) noexcept try {
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
} catch (const std::bad_alloc&) {
  return -1; // closes the connection: its memory is what can be given back
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

server_shard::server_shard(loop& home, shared_server& server)
    : home_{home}, server_{server}, context_{make_context(home.native())},
      release_{home, [this] { release_held(); }}, looking_{home, [this] { look_for_clients(); }},
      deadlines_{home, [this] { check_deadlines(); }} {
  home_.add(loop::stage::writes, *this);
}

server_shard::~server_shard() {
  home_.remove(loop::stage::writes, *this);
  release_.stop();
  looking_.stop();
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

void server_shard::adopt(int socket, const std::string& peer) {
  const auto before = server_.open.fetch_add(1, std::memory_order_relaxed);
  if (before >= server_.limits.max_connections + refusal_room) {
    server_.open.fetch_sub(1, std::memory_order_relaxed);
    ::close(socket);
    return;
  }
  auto& connection = *connections_.emplace_back(std::make_unique<server_connection>(*this, peer));
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
  if (is_refused(connection, before))
    connection.refuse(refusal::too_many);
  if (!std::exchange(ticking_, true))
    deadlines_.start(check_interval());
}

/// @param before how many connections there were
bool server_shard::is_refused(const server_connection& connection, size_t before) {
  const auto most = server_.limits.max_connections_per_address;
  if (most > 0 && connection.of_its_address() > most)
    return true;
  if (before < server_.limits.max_connections)
    return false;
  if (given_way_ == 0)
    make_way(std::chrono::steady_clock::now());
  if (given_way_ == 0)
    return true;
  --given_way_;
  return false;
}

/// Has the connections go that have waited longest for a request, as a client that only holds them
/// must not keep others out.
void server_shard::make_way(std::chrono::steady_clock::time_point now) {
  if (now - made_way_ < least_pause)
    return;
  made_way_ = now;
  given_way_ = give_up_longest(false, now - least_wait, at_once);
}

/// Has the connections go that have kept bytes here longest and got nowhere, while memory is short.
void server_shard::make_room(std::chrono::steady_clock::time_point now) {
  const auto& budget = server_.budget;
  if (budget.bytes() <= budget.most() / 4 * 3)
    return;
  const auto count = give_up_longest(true, now - stuck_time, connections_.size() / 4 + 1);
  for (size_t i = 0; i < count; ++i)
    server_.budget.count_refusal();
}

/// Gives up at most `count` connections that have waited since before `latest`, the longest first.
size_t server_shard::give_up_longest(bool stuck, std::chrono::steady_clock::time_point latest,
                                     size_t count) {
  using waiting = std::pair<std::chrono::steady_clock::time_point, server_connection*>;
  std::vector<waiting> found;
  for (const auto& each : connections_)
    if (const auto since = each->waiting_since(stuck); since && *since < latest)
      found.emplace_back(*since, each.get());
  count = std::min(count, found.size());
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
  for (size_t i = 0; i < count; ++i)
    found[i].second->give_up();
  return count;
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

void server_shard::look_soon(server_connection& connection) {
  if (looked_for_.empty())
    looking_.start(look_time);
  looked_for_.push_back(&connection);
}

void server_shard::look_for_clients() {
  for (auto* connection : std::exchange(looked_for_, {}))
    connection->look_for_client();
}

void server_shard::forget(server_connection& connection) {
  if (connection.touched)
    std::replace(touched_.begin(), touched_.end(), &connection,
                 static_cast<server_connection*>(nullptr));
  std::erase(held_, &connection);
  std::erase(looked_for_, &connection);
  auto& place = connections_[connection.slot];
  gone_.push_back(std::move(place));
  if (&place != &connections_.back()) {
    place = std::move(connections_.back());
    place->slot = connection.slot;
  }
  connections_.pop_back();
  server_.open.fetch_sub(1, std::memory_order_relaxed);
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
  const auto shortest = std::min(
      {server_.limits.header_timeout, server_.limits.body_timeout, server_.limits.idle_timeout,
       server_.limits.stall_timeout, server_.limits.keep_alive, server_.limits.websocket_ping,
       server_.limits.websocket_silence, server_.limits.websocket_close_timeout});
  return std::clamp(shortest / 4, std::chrono::milliseconds{10}, std::chrono::milliseconds{1'000});
}

void server_shard::check_deadlines() {
  ticking_ = !connections_.empty();
  if (!ticking_)
    return;
  const auto now = std::chrono::steady_clock::now();
  for (const auto& connection : connections_)
    connection->check_deadlines(now);
  make_room(now);
  deadlines_.start(check_interval());
}

} // namespace troupe

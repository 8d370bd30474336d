#include "transport/http_server/server_connection.hpp"

#include <algorithm>
#include <utility>

#include "transport/http_server/server_shard.hpp"

namespace troupe {

// -- server outbox --------------------------------------------------------------------------------

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

// -- server connection ----------------------------------------------------------------------------

namespace {

/// Returns the address of "127.0.0.1:40000" or "[::1]:40000".
std::string_view address_of(std::string_view peer) {
  return peer.substr(0, peer.rfind(':'));
}

} // namespace

server_connection::server_connection(server_shard& home, const std::string& peer)
    : home_{home}, input_{home.limits(), home.server().gate, peer}, reading_{home.home(), *this},
      charge_{home.server().budget, home.server().budget.of_address(address_of(peer))},
      since_{clock::now()} {}

void server_connection::enter(phase next) {
  phase_ = next;
  since_ = clock::now();
  input_.rest(since_);
}

void server_connection::touch() {
  home_.touch(*this);
}

void server_connection::retire() {
  if (phase_ == phase::upgraded)
    return websocket_->close(websocket_status::going_away, "the server is shutting down");
  if (phase_ != phase::reading || !input_.is_idle())
    return; // closes after its answer
  doomed_ = is_flushed();
  enter(phase::closing);
  touch();
}

// -- answers

void server_connection::open_answer(uint16_t status, const headers& extra,
                                    response_framing framing) {
  now_.started = true;
  now_.body_bytes = 0; // whoever answers has read it
  now_.bodyless = now_.head_only || is_bodyless(status);
  now_.keep_alive = now_.keep_alive && !home_.is_leaving();
  framing.keep_alive = now_.keep_alive;
  framing.http_1_0 = now_.http_1_0;
  append_head(output_.buffer(), status, extra, framing, http_date());
  touch();
}

void server_connection::send(uint16_t status, const headers& extra, std::string_view body) {
  if (now_.started)
    return reset();
  response_framing framing;
  framing.content_length = body.size();
  open_answer(status, extra, framing);
  if (!now_.bodyless)
    output_.buffer().append(body);
  end_answer();
}

void server_connection::start(uint16_t status, const headers& extra) {
  if (now_.started)
    return;
  response_framing framing;
  framing.chunked = now_.chunked = !now_.http_1_0 && !is_bodyless(status);
  if (now_.http_1_0 && !now_.head_only && !is_bodyless(status))
    now_.keep_alive = false; // the body ends with the connection
  open_answer(status, extra, framing);
  now_.fresh = true;
}

void server_connection::write(std::string_view bytes) {
  if (!now_.started || bytes.empty())
    return;
  if (now_.chunked && !now_.bodyless)
    append_chunk(output_.buffer(), bytes);
  else if (!now_.bodyless)
    output_.buffer().append(bytes);
  link_->waiting.store(output_.pending(), std::memory_order_relaxed);
  touch();
}

void server_connection::finish() {
  if (!now_.started)
    return reset();
  if (now_.chunked && !now_.bodyless)
    output_.buffer().append(last_chunk);
  end_answer();
}

void server_connection::end_answer() {
  std::exchange(link_, nullptr)->end(false);
  enter(phase::answered);
  touch();
}

void server_connection::reset() {
  if (!link_)
    return;
  std::exchange(link_, nullptr)->end(false);
  if (now_.started && !now_.chunked)
    socket_.close_abortively(); // an orderly end would look like the end of the body
  doomed_ = true;
  enter(phase::closing);
  touch();
}

void server_connection::upgrade(const headers& answer,
                                const std::shared_ptr<websocket_link>& link) {
  if (now_.started || now_.http_1_0)
    link->end(websocket_status::lost);
  if (now_.started)
    return reset();
  std::exchange(link_, nullptr)->end(false);
  now_.body_bytes = 0;
  if (now_.http_1_0)
    return refuse(refusal::websocket_http_1_0);
  append_head(output_.buffer(), 101, answer, {}, {});
  websocket_ = std::make_unique<server_websocket>(*this, link, home_.limits());
  enter(phase::upgraded);
  if (home_.is_retiring())
    retire();
  touch();
}

std::string& server_connection::outgoing() {
  touch();
  return output_.buffer();
}

void server_connection::closed() {
  if (std::exchange(closed_, true))
    return;
  reading_.stop();
  if (websocket_)
    websocket_->lost(); // calls touch()
  home_.forget(*this);
  if (const auto link = std::exchange(link_, nullptr))
    link->end(true);
}

// -- between two iterations of the loop

bool server_connection::is_flushed() const {
  return output_.pending() == 0 && !socket_.is_congested();
}

bool server_connection::flush() {
  if (std::exchange(now_.fresh, false) && phase_ == phase::answering && !doomed_) {
    home_.hold(*this);
    return true;
  }
  if (!output_.write_to(socket_) || doomed_ || (now_.probed && socket_.is_gone()))
    return false;
  if (const auto link = link_) { // the watcher may end the answer
    link->waiting.store(output_.pending(), std::memory_order_relaxed);
    link->check_drained();
  }
  if (websocket_)
    websocket_->sent();
  settle();
  update_reading();
  if (charge())
    return true;
  home_.server().budget.count_refusal();
  socket_.close_abortively(); // an orderly end would look like the end of the answer
  return false;
}

void server_connection::settle() {
  if (phase_ == phase::answered)
    enter(now_.keep_alive && !home_.is_leaving() ? phase::reading : phase::closing);
  if (phase_ == phase::reading && !input_.kept.empty() &&
      output_.pending() <= home_.limits().high_water)
    advance();
  if (phase_ == phase::upgraded && !input_.kept.empty() && websocket_->is_watched())
    websocket_->receive(std::exchange(input_.kept, {}));
  if (phase_ == phase::upgraded && websocket_->is_over())
    enter(phase::closing);
  if (phase_ == phase::closing && is_flushed()) {
    socket_.shut_down();
    enter(phase::lingering);
  }
}

} // namespace troupe

#include "transport/http_server/server_connection.hpp"

#include <utility>

#include "transport/http_server/server_shard.hpp"

namespace troupe {

namespace {

constexpr size_t pipeline_room = 64 * 1024; // for requests that arrive while an answer runs
/// Larger than the high-water mark: a client with unread answers must still be able to send a
/// cancel.
constexpr size_t upgraded_waters = 4;

} // namespace

server_connection::server_connection(server_shard& home, std::string peer)
    : home_{home}, peer_{std::move(peer)},
      reader_{home.limits().max_header_bytes, home.limits().max_body_bytes}, since_{clock::now()} {}

void server_connection::enter(phase next) {
  phase_ = next;
  since_ = clock::now();
}

void server_connection::touch() {
  home_.touch(*this);
}

// -- requests

void server_connection::receive(std::string_view bytes) {
  if (doomed_ || phase_ == phase::closing || phase_ == phase::lingering)
    return; // read and dropped: unread bytes would make the close a reset
  if (phase_ == phase::reading && input_.empty()) {
    input_ = consume(bytes);
    return;
  }
  if (phase_ == phase::upgraded && input_.empty() && websocket_->is_watched())
    return websocket_->receive(bytes);
  input_.append(bytes);
  if (phase_ == phase::reading && output_.pending() <= home_.limits().high_water)
    advance();
  else
    update_reading();
}

/// Reads on in the kept input.
void server_connection::advance() {
  auto kept = std::exchange(input_, {});
  const auto rest = consume(kept).size();
  kept.erase(0, kept.size() - rest);
  if (rest > 0)
    input_ = std::move(kept);
}

/// Takes at most one request off `bytes` and returns the rest.
std::string_view server_connection::consume(std::string_view bytes) {
  const auto before = reader_.now();
  switch (reader_.read(bytes)) {
  case request_reader::outcome::complete:
    dispatch(reader_.take());
    break;
  case request_reader::outcome::refused:
    refuse(reader_.why());
    return {};
  case request_reader::outcome::more:
    if (before != reader_.now() || before == request_reader::state::body)
      since_ = clock::now();
    if (reader_.wants_continue()) {
      output_.buffer().append("HTTP/1.1 100 Continue\r\n\r\n");
      touch();
    }
    break;
  }
  return bytes;
}

void server_connection::dispatch(received_request request) {
  auto& head = request.head;
  served_ = true;
  keep_alive_ = head.keep_alive;
  http_1_0_ = head.http_1_0;
  head_only_ = head.method == "HEAD";
  started_ = chunked_ = bodyless_ = false;
  comment_ = {};
  enter(phase::answering);
  const auto& limits = home_.limits();
  link_ = std::make_shared<response_link>(home_.home(), *this, limits.high_water, limits.low_water);
  link_->waiting.store(output_.pending(), std::memory_order_relaxed);
  server_request out{.method = std::move(head.method),
                     .path = std::move(head.path),
                     .target = std::move(head.target),
                     .query = std::move(head.query),
                     .fields = std::move(head.fields),
                     .body = std::move(request.body),
                     .peer = peer_};
  try {
    home_.handler()(std::move(out), std::make_shared<server_response>(link_));
  } catch (...) {
    reset(); // the callers are C frames, which no exception may cross
  }
}

void server_connection::refuse(const http_refusal& why) {
  std::string{}.swap(input_);
  append_refusal(output_.buffer(), why);
  enter(phase::closing);
  touch();
}

void server_connection::retire() {
  if (phase_ == phase::upgraded)
    return websocket_->close(websocket_status::going_away, "the server is shutting down");
  if (phase_ != phase::reading || reader_.now() != request_reader::state::idle || !input_.empty())
    return; // closes after its answer
  doomed_ = is_flushed();
  enter(phase::closing);
  touch();
}

// -- answers

void server_connection::open_answer(uint16_t status, const headers& extra,
                                    response_framing framing) {
  started_ = true;
  bodyless_ = head_only_ || is_bodyless(status);
  keep_alive_ = keep_alive_ && !home_.is_retiring();
  framing.keep_alive = keep_alive_;
  framing.http_1_0 = http_1_0_;
  append_head(output_.buffer(), status, extra, framing, http_date());
  touch();
}

void server_connection::send(uint16_t status, const headers& extra, std::string_view body) {
  if (started_)
    return reset();
  response_framing framing;
  framing.content_length = body.size();
  open_answer(status, extra, framing);
  if (!bodyless_)
    output_.buffer().append(body);
  end_answer();
}

void server_connection::start(uint16_t status, const headers& extra) {
  if (started_)
    return;
  response_framing framing;
  framing.chunked = chunked_ = !http_1_0_ && !is_bodyless(status);
  if (http_1_0_ && !head_only_ && !is_bodyless(status))
    keep_alive_ = false; // the body ends with the connection
  open_answer(status, extra, framing);
  fresh_ = true;
}

void server_connection::write(std::string_view bytes) {
  if (!started_ || bytes.empty())
    return;
  if (chunked_ && !bodyless_)
    append_chunk(output_.buffer(), bytes);
  else if (!bodyless_)
    output_.buffer().append(bytes);
  link_->waiting.store(output_.pending(), std::memory_order_relaxed);
  touch();
}

void server_connection::finish() {
  if (!started_)
    return reset();
  if (chunked_ && !bodyless_)
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
  if (started_ && !chunked_)
    socket_.close_abortively(); // an orderly end would look like the end of the body
  doomed_ = true;
  enter(phase::closing);
  touch();
}

void server_connection::upgrade(const headers& answer,
                                const std::shared_ptr<websocket_link>& link) {
  if (started_ || http_1_0_)
    link->end(websocket_status::lost);
  if (started_)
    return reset();
  std::exchange(link_, nullptr)->end(false);
  if (http_1_0_)
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
  if (std::exchange(fresh_, false) && phase_ == phase::answering && !doomed_) {
    home_.hold(*this);
    return true;
  }
  if (!output_.write_to(socket_) || doomed_)
    return false;
  if (const auto link = link_) { // the watcher may end the answer
    link->waiting.store(output_.pending(), std::memory_order_relaxed);
    link->check_drained();
  }
  if (websocket_)
    websocket_->sent();
  settle();
  update_reading();
  return true;
}

void server_connection::settle() {
  if (phase_ == phase::answered)
    enter(keep_alive_ && !home_.is_retiring() ? phase::reading : phase::closing);
  if (phase_ == phase::reading && !input_.empty() && output_.pending() <= home_.limits().high_water)
    advance();
  if (phase_ == phase::upgraded && !input_.empty() && websocket_->is_watched())
    websocket_->receive(std::exchange(input_, {}));
  if (phase_ == phase::upgraded && websocket_->is_over())
    enter(phase::closing);
  if (phase_ == phase::closing && is_flushed()) {
    socket_.shut_down();
    enter(phase::lingering);
  }
}

/// Reading stops
///   - while libwebsockets has bytes of its own to send: it would not read the input, and the loop
///     would not sleep;
///   - while a finished answer is being sent, so that a client that has closed its half gets all of
///     it;
///   - when too much input is kept;
///   - when a WebSocket's client sends more and more, but does not take the answers.
void server_connection::update_reading() {
  const auto& limits = home_.limits();
  const bool room = input_.size() <= limits.max_header_bytes + pipeline_room;
  const bool sent =
      phase_ == phase::answering || output_.pending() == 0 ||
      (phase_ == phase::upgraded && output_.pending() <= upgraded_waters * limits.high_water);
  if (const bool wanted = room && sent && !socket_.is_congested(); wanted != receiving_) {
    receiving_ = wanted;
    socket_.set_reading(wanted);
  }
}

} // namespace troupe

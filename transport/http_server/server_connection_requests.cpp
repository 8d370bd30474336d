// Turns the bytes of a client into requests.
#include <utility>

#include "transport/http_server/server_connection.hpp"
#include "transport/http_server/server_shard.hpp"

namespace troupe {

void server_connection::receive(std::string_view bytes) {
  if (phase_ == phase::lingering)
    input_.rest(clock::now());
  if (doomed_ || now_.declined || phase_ == phase::closing || phase_ == phase::lingering)
    return; // read and dropped: unread bytes would make the close a reset
  auto& kept = input_.kept;
  if (phase_ == phase::reading && kept.empty()) {
    kept = consume(bytes);
  } else if (phase_ == phase::upgraded && kept.empty() && websocket_->is_watched()) {
    websocket_->receive(bytes);
  } else {
    kept.append(bytes);
    if (phase_ == phase::reading && output_.pending() <= home_.limits().high_water)
      advance();
  }
  if (!charge())
    refuse_bytes();
  update_reading();
}

/// There is no room for what the client has sent.
void server_connection::refuse_bytes() {
  home_.server().budget.count_refusal();
  if (phase_ == phase::upgraded)
    websocket_->refuse_message();
  else if (phase_ == phase::reading)
    refuse(refusal::no_room);
  else
    give_up();
}

/// The client may wait for its answer, or be gone. Where an answer has no comment, what it writes
/// next tells; check_silence() looks after one that is silent.
void server_connection::input_ended(bool broken) {
  now_.ended = true;
  if (broken)
    give_up();
  else if (!now_.started)
    home_.look_soon(*this);
  else if (!now_.comment.empty())
    look_for_client();
}

/// Sends something that means nothing: the system of a client that is gone answers with a reset.
void server_connection::look_for_client() {
  if (phase_ != phase::answering || !now_.ended || std::exchange(now_.probed, true))
    return;
  if (now_.started)
    write(now_.comment);
  else if (!now_.http_1_0)
    append_head(output_.buffer(), 102, {}, {}, {});
  touch();
}

/// Reads on in the kept input.
void server_connection::advance() {
  auto kept = std::exchange(input_.kept, {});
  const auto rest = consume(kept).size();
  kept.erase(0, kept.size() - rest);
  if (rest > 0)
    input_.kept = std::move(kept);
}

void server_connection::read_on() {
  input_.go_on();
  update_reading();
}

std::function<void()> waking_call(std::shared_ptr<body_waker> waker) {
  return [waker = std::move(waker)] {
    waker->home.post([waker] {
      if (waker->connection != nullptr)
        waker->connection->read_on();
    });
  };
}

/// Takes at most one request off `bytes` and returns the rest.
std::string_view server_connection::consume(std::string_view bytes) {
  auto got = input_.read(bytes);
  if (got == request_intake::result::streamed) {
    input_.watch(home_.home(), *this);
    got = input_.read(bytes);
  }
  switch (got) {
  case request_intake::result::request:
    if (charge())
      dispatch(input_.take());
    else
      refuse_bytes();
    break;
  case request_intake::result::declined:
    now_.declined = true;
    dispatch(input_.take());
    return {};
  case request_intake::result::refused:
    refuse(input_.why());
    return {};
  case request_intake::result::streamed:
  case request_intake::result::more:
    if (input_.wants_continue()) {
      output_.buffer().append("HTTP/1.1 100 Continue\r\n\r\n");
      touch();
    }
    break;
  }
  return bytes;
}

void server_connection::dispatch(request_head head) {
  auto& request = head.request;
  now_ = {.comment = {},
          .body_bytes = request.body.capacity(),
          .keep_alive = head.keep_alive && !now_.declined,
          .http_1_0 = head.http_1_0,
          .head_only = request.method == "HEAD",
          .declined = now_.declined};
  enter(phase::answering);
  const auto& limits = home_.limits();
  link_ = std::make_shared<response_link>(home_.home(), *this, limits.high_water, limits.low_water,
                                          charge_.payers(input_.owner()));
  link_->waiting.store(output_.pending(), std::memory_order_relaxed);
  try {
    home_.server().handler(std::move(request), std::make_shared<server_response>(link_));
  } catch (...) { // the callers are C frames, which no exception may cross
    fail_request();
  }
}

/// The handler threw: for the lack of memory, or else by a fault of ours. If it gave the response
/// away before, that finds its client gone.
void server_connection::fail_request() {
  if (now_.started || !link_)
    return reset();
  std::exchange(link_, nullptr)->end(false);
  refuse(refusal::no_memory);
}

void server_connection::refuse(const http_refusal& why) {
  input_.drop();
  append_refusal(output_.buffer(), why);
  enter(phase::closing);
  touch();
}

} // namespace troupe

// The memory that a connection holds for its client, and when it stops to read.
#include "transport/http_server/server_connection.hpp"
#include "transport/http_server/server_shard.hpp"

namespace troupe {

namespace {

constexpr size_t pipeline_room = 64 * 1024; // for requests that arrive while an answer runs

/// Larger than the high-water mark: a client with unread answers must still be able to send a
/// cancel.
constexpr size_t upgraded_waters = 4;

} // namespace

/// Counts what the client makes us keep. Returns whether there is room for it.
bool server_connection::charge() {
  const auto message = websocket_ ? websocket_->kept_bytes() : 0;
  const auto bytes = input_.kept_bytes() + now_.body_bytes + message + output_.pending();
  if (bytes > buffer_charge::free_bytes && !charge_.is_billed_to(input_.owner()))
    charge_.bill(input_.owner().empty() ? nullptr : home_.server().budget.of_owner(input_.owner()));
  return charge_.resize(bytes);
}

std::optional<server_connection::clock::time_point>
server_connection::waiting_since(bool stuck) const {
  if (doomed_ || closed_ || (stuck && charge_.bytes() == 0))
    return std::nullopt;
  if (stuck && output_.is_blocked())
    return output_.moved();
  if (stuck && phase_ == phase::upgraded)
    return websocket_->message_since();
  if (phase_ == phase::reading && is_flushed() && input_.is_in_body() == stuck)
    return input_.moved();
  return std::nullopt;
}

void server_connection::give_up() {
  doomed_ = true;
  touch();
}

/// Reading stops
///   - while libwebsockets has bytes of its own to send: it would not read the input, and the loop
///     would not sleep;
///   - while a finished answer is being sent, so that a client that has closed its half gets all of
///     it;
///   - when too much input is kept;
///   - when a WebSocket's client sends more and more, but does not take the answers.
void server_connection::update_reading() {
  using reader = client_reading::reader;
  const auto& limits = home_.limits();
  const bool room = input_.kept.size() <= limits.max_header_bytes + pipeline_room;
  const bool sent =
      phase_ == phase::answering || output_.pending() == 0 ||
      (phase_ == phase::upgraded && output_.pending() <= upgraded_waters * limits.high_water);
  const bool wanted = room && sent && !socket_.is_congested() && !input_.is_held();
  if (phase_ == phase::answering)
    reading_.set(socket_, wanted && !now_.ended ? reader::here : reader::nobody);
  else
    reading_.set(socket_, wanted ? reader::library : reader::nobody);
}

} // namespace troupe

#include "apps/engine/http/websocket/ws_sink.hpp"

#include <utility>

#include <caf/all.hpp>

#include "actors/registry.hpp"
#include "apps/engine/http/websocket/ws_connection.hpp"

namespace troupe {

namespace {

class stream_sink final : public event_sink {
public:
  stream_sink(std::shared_ptr<websocket> socket, ws_stream_id id)
      : socket_(std::move(socket)), id_(std::move(id)) {}

  ~stream_sink() override {
    if (!moved_)
      caf::anon_send(id_.home, atom::done_v, id_.number, told_);
  }

  void watch(std::function<void(response_signal)>) override {}

  bool deliver(const event_batch& batch) override {
    if (!std::exchange(begun_, true) && *id_.aborted)
      abort(batch);
    id_.asked.reset();
    told_ = !batch.events.empty() && is_terminal(batch.events.back());
    if (close_if_revoked(*socket_, id_.meter.get()))
      return false; // nothing follows but its end
    if (id_.manual) {
      caf::anon_send(id_.home, id_.number, batch);
      return false; // `drained` follows when the events have been sent
    }
    thread_local json_buffer text;
    text.clear();
    append_ws_events(text, batch, 0, batch.events.size());
    return socket_->send(view(text));
  }

  void refuse(const failure& why) override {
    told_ = true;
    moved_ = id_.asked && (why.code == errc::session_busy || why.code == errc::shutting_down);
    if (moved_)
      return caf::anon_send(id_.home, ws_refused_turn{id_.number, std::move(id_.asked)});
    socket_->send(why.code == errc::turn_not_running ? ws_notice("idle", id_.session)
                                                     : ws_refused(id_.session, id_.turn, why));
  }

private:
  /// Repeats the client's abort, now that the turn runs.
  void abort(const event_batch& batch) {
    if (auto hub = whereis<session_hub_actor>(id_.home.home_system(), session_hub_name))
      caf::anon_send<caf::message_priority::high>(
          hub, abort_turn{batch.session_id, batch.turn_id, "stop"});
  }

  std::shared_ptr<websocket> socket_;
  ws_stream_id id_;
  bool begun_ = false;
  bool told_ = false;
  bool moved_ = false; ///< another node may take the turn
};

} // namespace

bool close_if_revoked(websocket& socket, const key_meter* meter) {
  if (meter == nullptr || !meter->is_revoked())
    return false;
  socket.close(ws_close::key_revoked, "the API key is not valid any more");
  return true;
}

std::unique_ptr<event_sink> ws_sink(std::shared_ptr<websocket> socket, ws_stream_id id) {
  return std::make_unique<stream_sink>(std::move(socket), std::move(id));
}

} // namespace troupe

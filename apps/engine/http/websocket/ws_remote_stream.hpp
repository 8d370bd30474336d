// One stream of a WebSocket whose turn another node runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apps/engine/http/websocket/ws_connection.hpp"
#include "apps/engine/http/websocket/ws_messages.hpp"
#include "apps/engine/http/websocket/ws_sink.hpp"
#include "messages/http.hpp"
#include "messages/ports/client_ports.hpp"
#include "messages/wire/sse.hpp"

namespace troupe {

/// Is the client of a request whose answer is a native stream, and puts the events of that into
/// frames, as they are. Belongs to whoever answers; when it is destroyed, its connection learns
/// that the stream is over.
class ws_remote_stream final : public http_response {
public:
  using aborter = std::function<void(const std::string& turn)>;

  /// @param abort has that turn aborted: the client's word for it may have overtaken the start
  /// @param resumed the last event that a client which resumes a turn has
  ws_remote_stream(std::shared_ptr<websocket> socket, ws_stream_id id, aborter abort,
                   std::optional<uint64_t> resumed);
  ~ws_remote_stream() override;

  ws_remote_stream(const ws_remote_stream&) = delete;
  ws_remote_stream& operator=(const ws_remote_stream&) = delete;

  /// Says what became of the WebSocket's client. Any thread.
  void signal(response_signal what);

  // -- the answer; one call at a time, on any thread
  void watch(std::function<void(response_signal)> watcher) override;
  void send(uint16_t status, const headers& fields, std::string body) override;
  void start(uint16_t status, const headers& fields) override;
  bool write(std::string_view bytes) override;
  void finish() override;
  void reset() override;

private:
  using watching = std::function<void(response_signal)>;

  bool on_event(const sse_event& what, ws_remote_events& out);
  bool pass_on(ws_remote_events&& events);
  void tell_lost();

  std::shared_ptr<websocket> socket_;
  ws_stream_id id_;
  aborter abort_; ///< until the first event
  std::optional<uint64_t> resumed_;
  sse_parser parser_;
  bool told_ = false; ///< the client knows the end
  std::atomic<bool> gone_{false};
  std::atomic<std::shared_ptr<const watching>> watcher_;
};

/// Takes an answer that nobody waits for.
std::shared_ptr<http_response> unread_answer();

/// Returns the request over HTTP that means the same as a message of a WebSocket's client: one that
/// begins a stream, or approvals or abort.
server_request request_of(const ws_command& what, const ws_origin& from);

} // namespace troupe

// The WebSocket channel against a server that is not ours: libwebsockets.
#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

#include <libwebsockets.h>

#include "tests/transport/mcp/mcp_websocket_fixture.hpp"

namespace mcp_websocket_peers_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// What one connection of the server knows; made and destroyed by libwebsockets' callbacks.
struct echo_session {
  std::string in;
  std::string out;
  size_t sent = 0;
};

constexpr size_t fragment = 10'000;

/// Sends the next fragment of what was read, and asks to be called for the one after it.
int send_fragment(lws* wsi, echo_session& session) {
  const auto count = std::min(fragment, session.out.size() - session.sent);
  const bool last = session.sent + count == session.out.size();
  std::string bytes(LWS_PRE, '\0');
  bytes.append(session.out, session.sent, count);
  const auto how = lws_write_ws_flags(LWS_WRITE_TEXT, session.sent == 0, last);
  session.sent += count;
  lws_write(wsi, reinterpret_cast<unsigned char*>(bytes.data()) + LWS_PRE, count,
            static_cast<lws_write_protocol>(how));
  if (!last)
    return lws_callback_on_writable(wsi) < 0 ? -1 : 0;
  session.out.clear();
  session.sent = 0;
  return 0;
}

int on_event(lws* wsi, lws_callback_reasons reason, void* user, void* in, size_t size) noexcept {
  auto** session = static_cast<echo_session**>(user);
  switch (reason) {
  case LWS_CALLBACK_ESTABLISHED:
    *session = new echo_session;
    break;
  case LWS_CALLBACK_CLOSED:
    delete *session;
    break;
  case LWS_CALLBACK_RECEIVE:
    (*session)->in.append(static_cast<const char*>(in), size);
    if (lws_is_final_fragment(wsi) != 0 && lws_remaining_packet_payload(wsi) == 0) {
      (*session)->out += std::exchange((*session)->in, {});
      lws_callback_on_writable(wsi);
    }
    break;
  case LWS_CALLBACK_SERVER_WRITEABLE:
    return (*session)->out.empty() ? 0 : send_fragment(wsi, **session);
  default:
    break;
  }
  return 0;
}

/// Echoes every text of the subprotocol "mcp" in fragments.
class lws_server {
public:
  lws_server() {
    lws_context_creation_info info{};
    info.port = 0;
    info.iface = "127.0.0.1";
    info.protocols = protocols;
    info.options = LWS_SERVER_OPTION_VALIDATE_UTF8;
    lws_set_log_level(0, nullptr);
    context_ = lws_create_context(&info);
    REQUIRE(context_ != nullptr);
    port_ = lws_get_vhost_listen_port(lws_get_vhost_by_name(context_, "default"));
    thread_ = std::thread{[this] {
      while (!over_)
        lws_service(context_, 0);
    }};
  }
  ~lws_server() {
    over_ = true;
    lws_cancel_service(context_);
    thread_.join();
    lws_context_destroy(context_);
  }
  lws_server(const lws_server&) = delete;
  lws_server& operator=(const lws_server&) = delete;

  std::string url() const { return "ws://127.0.0.1:" + std::to_string(port_) + "/"; }

private:
  static constexpr lws_protocols protocols[] = {
      {"mcp", on_event, sizeof(echo_session*), 4096, 0, nullptr, 0},
      {nullptr, nullptr, 0, 0, 0, nullptr, 0},
  };

  lws_context* context_;
  int port_ = 0;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

} // namespace

TEST_CASE("websocket: a server of libwebsockets understands us, and we it",
          "[transport][mcp_websocket]") {
  lws_server server;
  websocket_fixture test;
  test.open(websocket_config(server.url()));
  test.inbox.next(mcp_signal::opened);
  for (const size_t size : {1, 117, 118, 60'000, 70'000, 2'000'000}) {
    const auto text = "{\"x\":\"\xC3\xA9" + std::string(size, 'y') + "\"}";
    test.channel->send(websocket_request(1, text));
    REQUIRE((test.inbox.messages(1).front() == text));
  }
  test.channel->close();
  CHECK(test.inbox.next(mcp_signal::closed).error == errc::none);
}

} // namespace mcp_websocket_peers_test

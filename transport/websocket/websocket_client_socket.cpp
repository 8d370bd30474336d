#include "transport/websocket/websocket_client_socket.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <utility>

#include <curl/curl.h>
#include <ev.h>
#include <fmt/format.h>

#include "transport/http_client/http_client_transfer.hpp"
#include "transport/loop/timer.hpp"

namespace troupe {

namespace {

constexpr size_t read_bytes = 16 * 1024; // per read: others wait while the bytes are handled

/// The most bytes for one call of libcurl: with TLS it reports progress only for the whole.
constexpr size_t write_bytes = 64 * 1024;

/// A buffer that grew larger than this gives its memory back.
constexpr size_t kept_bytes = 256 * 1024;

thread_local std::array<char, read_bytes> read_buffer;

} // namespace

/// Has a multi handle of its own: libcurl knows a stream only while its easy handle stays in the
/// multi handle, and a full one drops idle connections.
struct websocket_client_socket::impl final : loop_stage {
  impl(loop& where, stream_listener& who);
  ~impl() override { close(); }

  void connect(const stream_target& target);
  void act(curl_socket_t socket, int events);
  void watch(curl_socket_t socket, int what);
  void collect();
  void start_io();
  void on_readable();
  bool send_some();
  void flush();
  void touch();
  bool run() override;
  void close();
  void end(errc code, std::string text);

  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) noexcept;
  static int on_timer(CURLM*, long milliseconds, void* self) noexcept;

  template <void (impl::*Handle)()>
  void set_up(ev_io& watcher, int fd, int events) {
    ev_io_init(
        &watcher,
        [](struct ev_loop*, ev_io* which, int) { (static_cast<impl*>(which->data)->*Handle)(); },
        fd, events);
    watcher.data = this;
  }

  loop& home;
  stream_listener& listener;
  CURLM* multi = nullptr;
  CURL* easy = nullptr;
  std::array<char, CURL_ERROR_SIZE> error_text{};
  timer wake;                             // for libcurl
  std::map<curl_socket_t, ev_io> watched; // by libcurl, until the connection is open
  bool connected = false;
  bool muted = false; // the owner closes it: no more reports
  ev_io readable{};
  ev_io writable{};
  bool touched = false; // flush() is due in this iteration
  std::string queue;
  std::string sending; // must not move until it is sent: TLS may ask for the same bytes again
  size_t sent = 0;     // of sending
};

websocket_client_socket::impl::impl(loop& where, stream_listener& who)
    : home{where}, listener{who}, wake{where, [this] { act(CURL_SOCKET_TIMEOUT, 0); }} {}

void websocket_client_socket::impl::connect(const stream_target& target) {
  multi = curl_multi_init();
  easy = curl_easy_init();
  if (multi == nullptr || easy == nullptr)
    throw std::bad_alloc{};
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &impl::on_socket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &impl::on_timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
  http_transfer::prepare(easy);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, nullptr);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, nullptr);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1});
  curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
  curl_easy_setopt(easy, CURLOPT_HTTPPROXYTUNNEL, 1L);
  curl_easy_setopt(easy, CURLOPT_URL, target.url.c_str());
  const bool proxied = !target.proxy.empty();
  curl_easy_setopt(easy, CURLOPT_PROXY, proxied ? target.proxy.c_str() : nullptr);
  curl_easy_setopt(easy, CURLOPT_NOPROXY, proxied ? "" : nullptr);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(std::max<int64_t>(target.connect_timeout.count(), 1)));
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_text.data());
  curl_multi_add_handle(multi, easy); // asks for on_timer, which starts it
}

int websocket_client_socket::impl::on_socket(CURL*, curl_socket_t socket, int what, void* self,
                                             void*) noexcept {
  static_cast<impl*>(self)->watch(socket, what);
  return 0;
}

void websocket_client_socket::impl::watch(curl_socket_t socket, int what) {
  auto& watcher = watched[socket];
  ev_io_stop(home.native(), &watcher);
  if (what == CURL_POLL_REMOVE) {
    watched.erase(socket);
    return;
  }
  ev_io_init(
      &watcher,
      [](struct ev_loop*, ev_io* which, int events) {
        static_cast<impl*>(which->data)
            ->act(which->fd, ((events & EV_READ) != 0 ? CURL_CSELECT_IN : 0) |
                                 ((events & EV_WRITE) != 0 ? CURL_CSELECT_OUT : 0));
      },
      socket,
      ((what & CURL_POLL_IN) != 0 ? EV_READ : 0) | ((what & CURL_POLL_OUT) != 0 ? EV_WRITE : 0));
  watcher.data = this;
  ev_io_start(home.native(), &watcher);
}

int websocket_client_socket::impl::on_timer(CURLM*, long milliseconds, void* self) noexcept {
  auto& wake = static_cast<impl*>(self)->wake;
  if (milliseconds < 0)
    wake.stop();
  else
    wake.start(std::chrono::milliseconds{milliseconds});
  return 0;
}

void websocket_client_socket::impl::act(curl_socket_t socket, int events) {
  int running = 0;
  curl_multi_socket_action(multi, socket, events, &running);
  if (!connected)
    collect();
}

void websocket_client_socket::impl::collect() {
  int left = 0;
  while (const auto* message = curl_multi_info_read(multi, &left)) {
    if (message->msg != CURLMSG_DONE)
      continue;
    if (message->data.result == CURLE_OK)
      return start_io();
    const char* text = curl_easy_strerror(message->data.result);
    return end(errc::connect_failed, error_text[0] != '\0' ? error_text.data() : text);
  }
}

void websocket_client_socket::impl::start_io() {
  curl_socket_t socket = CURL_SOCKET_BAD;
  if (curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) != CURLE_OK ||
      socket == CURL_SOCKET_BAD)
    return end(errc::connect_failed, "the connection was lost at once");
  wake.stop();
  for (auto& [fd, watcher] : watched)
    ev_io_stop(home.native(), &watcher);
  watched.clear();
  connected = true;
  set_up<&impl::on_readable>(readable, socket, EV_READ);
  set_up<&impl::flush>(writable, socket, EV_WRITE);
  ev_io_start(home.native(), &readable);
  listener.stream_connected();
}

/// One read per event: a TLS record fits into the buffer, so no bytes stay in libcurl unnoticed.
void websocket_client_socket::impl::on_readable() {
  size_t count = 0;
  const auto result = curl_easy_recv(easy, read_buffer.data(), read_buffer.size(), &count);
  if (result == CURLE_AGAIN)
    return;
  if (result != CURLE_OK)
    return end(errc::connection_cut, curl_easy_strerror(result));
  if (count == 0)
    return end(errc::connection_cut, "the peer closed the connection");
  listener.stream_read({read_buffer.data(), count});
}

void websocket_client_socket::impl::touch() {
  if (std::exchange(touched, true))
    return;
  home.add(loop::stage::writes, *this);
  home.again();
}

bool websocket_client_socket::impl::run() {
  home.remove(loop::stage::writes, *this);
  touched = false;
  if (connected && !ev_is_active(&writable))
    flush();
  return true;
}

void websocket_client_socket::impl::flush() {
  if (send_some() && connected)
    ev_io_stop(home.native(), &writable);
  else if (connected)
    ev_io_start(home.native(), &writable);
}

/// Sends bytes; returns whether none are left.
bool websocket_client_socket::impl::send_some() {
  while (sent < sending.size() || !queue.empty()) {
    if (sent == sending.size()) {
      sending.clear();
      sent = 0;
      if (sending.capacity() > kept_bytes)
        sending.shrink_to_fit();
      sending.swap(queue);
    }
    size_t count = 0;
    const auto piece = std::min(write_bytes, sending.size() - sent);
    const auto result = curl_easy_send(easy, sending.data() + sent, piece, &count);
    if (result == CURLE_AGAIN)
      return false;
    if (result != CURLE_OK) {
      end(errc::connection_cut, curl_easy_strerror(result));
      return false;
    }
    sent += count;
  }
  return true;
}

void websocket_client_socket::impl::close() {
  if (touched)
    home.remove(loop::stage::writes, *this);
  touched = false;
  wake.stop();
  for (auto* each : {&readable, &writable})
    ev_io_stop(home.native(), each);
  connected = false;
  if (easy != nullptr) {
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, nullptr);
    curl_multi_remove_handle(multi, easy); // closes the connection
    curl_easy_cleanup(std::exchange(easy, nullptr));
  }
  if (multi != nullptr)
    curl_multi_cleanup(std::exchange(multi, nullptr));
  for (auto& [socket, watcher] : watched)
    ev_io_stop(home.native(), &watcher);
  watched.clear();
  wake.stop();
}

void websocket_client_socket::impl::end(errc code, std::string text) {
  close();
  if (!muted)
    listener.stream_ended({code, std::move(text)});
}

websocket_client_socket::websocket_client_socket(loop& home, stream_listener& listener)
    : impl_{std::make_unique<impl>(home, listener)} {}

websocket_client_socket::~websocket_client_socket() = default;

void websocket_client_socket::connect(const stream_target& target) {
  impl_->connect(target);
}

std::string& websocket_client_socket::outgoing() {
  impl_->touch();
  return impl_->queue;
}

size_t websocket_client_socket::queued() const noexcept {
  return impl_->queue.size() + impl_->sending.size() - impl_->sent;
}

void websocket_client_socket::set_reading(bool on) {
  if (impl_->connected && on)
    ev_io_start(impl_->home.native(), &impl_->readable);
  else
    ev_io_stop(impl_->home.native(), &impl_->readable);
}

void websocket_client_socket::close() {
  impl_->muted = true;
  if (impl_->connected && !ev_is_active(&impl_->writable))
    impl_->send_some();
  impl_->close();
}

} // namespace troupe

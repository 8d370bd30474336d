#include "transport/http_client/http_client_lane.hpp"

#include <new>

namespace troupe {

http_client_lane::http_client_lane(http_client_sockets& sockets, loop& home,
                                   std::vector<http_client_lane*>& due, position where)
    : sockets_{sockets}, all_due_{due}, multi_{curl_multi_init()},
      wake_{home, [this] { on_wake(); }}, where_{where} {
  if (multi_ == nullptr)
    throw std::bad_alloc{};
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &http_client_lane::on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &http_client_lane::on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  // libcurl counts connections in use, too. Above the bound it closes a free connection for each
  // one that becomes free: 2 * room keeps a connection for every exchange of a full lane.
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(2 * where.room));
}

http_client_lane::~http_client_lane() {
  std::erase(all_due_, this);
  curl_multi_cleanup(multi_);
}

int http_client_lane::on_socket(CURL*, curl_socket_t socket, int what, void* lane, void*) noexcept {
  auto& self = *static_cast<http_client_lane*>(lane);
  self.sockets_.watch(self, socket, what);
  return 0;
}

int http_client_lane::on_timer(CURLM*, long milliseconds, void* lane) noexcept {
  auto& self = *static_cast<http_client_lane*>(lane);
  self.run_now_ = milliseconds == 0;
  if (milliseconds > 0)
    self.wake_at(std::chrono::steady_clock::now() + std::chrono::milliseconds{milliseconds});
  else
    self.wake_due_ = time_point::max();
  if (self.run_now_)
    self.touch();
  return 0;
}

/// libcurl changes its timeout with every step. The timer is only moved to earlier times.
void http_client_lane::wake_at(time_point when) {
  wake_due_ = when;
  if (when >= wake_armed_)
    return;
  wake_armed_ = when;
  wake_.start(
      std::chrono::ceil<std::chrono::milliseconds>(when - std::chrono::steady_clock::now()));
}

void http_client_lane::on_wake() {
  wake_armed_ = time_point::max();
  if (wake_due_ <= std::chrono::steady_clock::now()) {
    run_now_ = true;
    touch();
  } else if (wake_due_ != time_point::max()) {
    wake_at(wake_due_);
  }
}

std::string http_client_lane::add(CURL* easy) {
  ++used_;
  worked_ = true;
  const auto code = curl_multi_add_handle(multi_, easy);
  return code == CURLM_OK ? std::string{} : curl_multi_strerror(code);
}

void http_client_lane::remove(CURL* easy) {
  --used_;
  curl_multi_remove_handle(multi_, easy);
}

bool http_client_lane::repeat(CURL* easy) {
  curl_multi_remove_handle(multi_, easy);
  return curl_multi_add_handle(multi_, easy) == CURLM_OK;
}

void http_client_lane::act(curl_socket_t socket, int events) {
  int running = 0;
  curl_multi_socket_action(multi_, socket, events, &running);
  touch();
}

void http_client_lane::touch() {
  if (!std::exchange(due_, true))
    all_due_.push_back(this);
}

bool http_client_lane::run() {
  due_ = false;
  if (!std::exchange(run_now_, false))
    return false;
  int running = 0;
  curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
  return true;
}

CURL* http_client_lane::next_finished(CURLcode& result) {
  int left = 0;
  while (const auto* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE)
      continue;
    result = message->data.result;
    return message->easy_handle;
  }
  return nullptr;
}

} // namespace troupe

#include "bench/relay/asker.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace {

std::string body_of(std::string_view model, std::string_view more = {}) {
  return fmt::format(
      R"({{"model":"{}","stream":true,"stream_options":{{"include_usage":true}},)"
      R"("messages":[{{"role":"user","content":"Say something, please."}}{}],"tools":[{{"type":)"
      R"("function","function":{{"name":"echo","description":"","parameters":)"
      R"({{"type":"object","properties":{{"message":{{"type":"string"}}}}}}}}}}]}})",
      model, more);
}

constexpr std::string_view with_call =
    R"(,{"role":"assistant","content":null,"tool_calls":[{"id":"call_000001","type":"function",)"
    R"("function":{"name":"echo","arguments":"{\"message\":\"Say something, please.\"}"}}]},)"
    R"({"role":"tool","tool_call_id":"call_000001","content":"Echo: Say something, please."})";

} // namespace

question::question(const std::string& base, std::string_view model)
    : url{base + "/chat/completions"}, first{body_of(model)}, after_call{body_of(model, with_call)},
      fields{curl_slist_append(nullptr, "Content-Type: application/json")}, read_url{curl_url()} {
  fields = curl_slist_append(fields, "Expect:");
  curl_url_set(read_url, CURLUPART_URL, url.c_str(), 0);
}

asker::asker(struct ev_loop* home, const question& what, done tell)
    : home_{home}, tell_{tell}, what_{what} {
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(2 * most));
  ev_timer_init(
      &timer_,
      [](struct ev_loop*, ev_timer* from, int) { static_cast<asker*>(from->data)->due_ = true; }, 0,
      0);
  timer_.data = this;
}

void asker::ask(client& by, const std::string& body) {
  ++asked_;
  auto* easy = idle_.empty() ? make() : idle_.back();
  if (!idle_.empty())
    idle_.pop_back();
  curl_easy_setopt(easy, CURLOPT_PRIVATE, &by);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &by);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.c_str());
  curl_multi_add_handle(multi_, easy);
}

CURL* asker::make() {
  auto* easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, what_.url.c_str());
  curl_easy_setopt(easy, CURLOPT_CURLU, what_.read_url);
  curl_easy_setopt(easy, CURLOPT_PROXY, ""); // or it looks through the environment each time
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, what_.fields);
  curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L); // or a refusal would pass for a fast answer
  curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 16L * 1024);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &on_body);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, &on_close);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, this);
  return easy;
}

void asker::run() {
  do {
    int running = 0;
    while (std::exchange(due_, false))
      curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
    collect();
  } while (due_);
}

void asker::collect() {
  int left = 0;
  while (const auto* message = curl_multi_info_read(multi_, &left)) {
    auto* easy = message->easy_handle;
    if (message->data.result != CURLE_OK) {
      std::fprintf(stderr, "the model: %s\n", curl_easy_strerror(message->data.result));
      std::exit(1);
    }
    client* by = nullptr;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &by);
    curl_multi_remove_handle(multi_, easy);
    idle_.push_back(easy);
    --asked_;
    tell_(*by);
  }
}

size_t asker::on_body(char* data, size_t, size_t size, void* by) {
  auto& to = *static_cast<client*>(by);
  to.sender->add(to, {data, size});
  return size;
}

/// Keeps watching a socket when libcurl is done with it: the connection is soon used again.
int asker::on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) {
  auto& to = *static_cast<asker*>(self);
  auto& on = to.watched_[socket];
  const int events =
      ((what & CURL_POLL_IN) != 0 ? EV_READ : 0) | ((what & CURL_POLL_OUT) != 0 ? EV_WRITE : 0);
  on.by = &to;
  on.used = what != CURL_POLL_REMOVE;
  if (!on.used || (ev_is_active(&on.io) && (on.io.events & (EV_READ | EV_WRITE)) == events))
    return 0;
  ev_io_stop(to.home_, &on.io);
  ev_io_init(&on.io, &on_ready, socket, events);
  on.io.data = &on;
  ev_io_start(to.home_, &on.io);
  return 0;
}

int asker::on_close(void* self, curl_socket_t socket) {
  auto& to = *static_cast<asker*>(self);
  if (const auto found = to.watched_.find(socket); found != to.watched_.end()) {
    ev_io_stop(to.home_, &found->second.io);
    to.watched_.erase(found);
  }
  return ::close(socket);
}

int asker::on_timer(CURLM*, long milliseconds, void* self) {
  auto& to = *static_cast<asker*>(self);
  to.due_ = milliseconds == 0;
  ev_timer_stop(to.home_, &to.timer_);
  if (milliseconds > 0) {
    ev_timer_set(&to.timer_, static_cast<double>(milliseconds) / 1000, 0);
    ev_timer_start(to.home_, &to.timer_);
  }
  return 0;
}

void asker::on_ready(struct ev_loop* home, ev_io* io, int events) {
  auto& on = *static_cast<watched*>(io->data);
  if (!on.used) // the model has closed it, or is about to
    return ev_io_stop(home, io);
  int running = 0;
  const int what = ((events & EV_READ) != 0 ? CURL_CSELECT_IN : 0) |
                   ((events & EV_WRITE) != 0 ? CURL_CSELECT_OUT : 0);
  curl_multi_socket_action(on.by->multi_, io->fd, what, &running);
}

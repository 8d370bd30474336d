// The exchanges of bench-relay with the model.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <curl/curl.h>
#include <ev.h>

#include "bench/relay/clients.hpp"

/// Asks the model the same for every client, and passes on what comes.
class asker {
public:
  using done = void (*)(client&);

  /// @param tell called with the client whose answer is over
  asker(struct ev_loop* home, const std::string& url, std::string_view model, done tell);

  void ask(client& by);

  /// Does what need not wait for a socket.
  void run();

private:
  CURL* make();
  void collect();

  static size_t on_body(char* data, size_t, size_t size, void* by);
  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*);
  static int on_close(void* self, curl_socket_t socket);
  static int on_timer(CURLM*, long milliseconds, void* self);
  static void on_ready(struct ev_loop*, ev_io* on, int events);

  struct ev_loop* home_;
  done tell_;
  std::string url_, body_;
  curl_slist* fields_ = nullptr;
  CURLM* multi_ = curl_multi_init();
  std::vector<CURL*> idle_;
  std::unordered_map<curl_socket_t, ev_io> watched_;
  ev_timer timer_{};
  bool due_ = false;
};

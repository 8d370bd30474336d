// The exchanges of bench-relay with the model.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <curl/curl.h>
#include <ev.h>

#include "bench/relay/clients.hpp"

/// The requests to the model: the first one of a turn, and the one after a call.
struct question {
  std::string url, first, after_call;
  curl_slist* fields;
  CURLU* read_url; ///< parsed `url`: copying it is cheaper than parsing again

  /// @param base the model's address, up to /v1
  question(const std::string& base, std::string_view model);
};

/// Sends requests for up to 64 clients at a time and passes their answers on. No more, because
/// libcurl 7.88 walks over all connections of a handle again and again.
class asker {
public:
  using done = void (*)(client&);
  static constexpr size_t most = 64;

  /// @param tell called with the client whose answer is over
  asker(struct ev_loop* home, const question& what, done tell);

  bool has_room() const { return asked_ < most; }
  /// @param body outlives the exchange
  void ask(client& by, const std::string& body);

  /// Does libcurl's work that waits for no socket.
  void run();

private:
  CURL* make();
  void collect();

  /// A connection with the model; also while nobody uses it.
  struct watched {
    asker* by;
    ev_io io;
    bool used;
  };

  static size_t on_body(char* data, size_t, size_t size, void* by);
  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*);
  static int on_close(void* self, curl_socket_t socket);
  static int on_timer(CURLM*, long milliseconds, void* self);
  static void on_ready(struct ev_loop*, ev_io* on, int events);

  struct ev_loop* home_;
  done tell_;
  const question& what_;
  CURLM* multi_ = curl_multi_init();
  size_t asked_ = 0;
  std::vector<CURL*> idle_;
  std::unordered_map<curl_socket_t, watched> watched_;
  ev_timer timer_{};
  bool due_ = false;
};

/// Makes askers as they are needed.
class askers {
public:
  askers(struct ev_loop* home, const question& what, asker::done tell)
      : home_{home}, what_{what}, tell_{tell} {}

  void ask(client& by, const std::string& body) {
    for (const auto& each : all_)
      if (each->has_room())
        return each->ask(by, body);
    all_.push_back(std::make_unique<asker>(home_, what_, tell_));
    all_.back()->ask(by, body);
  }

  void run() {
    for (size_t i = 0; i < all_.size(); ++i) // there may be more by then
      all_[i]->run();
  }

private:
  struct ev_loop* home_;
  const question& what_;
  asker::done tell_;
  std::vector<std::unique_ptr<asker>> all_;
};

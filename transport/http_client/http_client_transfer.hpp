// One outgoing exchange: the options for libcurl, the collected answer, and the deadlines.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <curl/curl.h>

#include "messages/errors.hpp"
#include "messages/http.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

class http_client_lane;

/// One exchange. Loop thread only. libcurl's callbacks collect in `pending`; parts are never
/// delivered from within the callbacks.
struct http_transfer : std::enable_shared_from_this<http_transfer> {
  using time_point = std::chrono::steady_clock::time_point;
  using by_deadline = std::multimap<time_point, std::shared_ptr<http_transfer>>;

  http_transfer(http_request what, uint64_t number, http_port::receiver receiver);
  ~http_transfer();
  http_transfer(const http_transfer&) = delete;
  http_transfer& operator=(const http_transfer&) = delete;

  /// Sets the options of a handle that are the same for all exchanges.
  static void prepare(CURL* fresh);

  /// Sets the options of this exchange. Returns the fault of the request, or "".
  /// @param receive_buffer bytes @param url parsed URL or nullptr; outlives the exchange
  std::string attach(CURL* handle, long receive_buffer, CURLU* url);

  /// Returns whether the exchange uses TLS.
  bool is_secure() const { return request.url.starts_with("https:"); }

  /// Returns whether much of the body came at a time.
  bool came_in_bulk() const;

  /// Removes all settings of this exchange from the handle and returns it.
  CURL* detach();

  /// Ends the collecting: the next part is the last one.
  void finish(errc error, std::string text);

  /// Moves out the collected part; the next part starts empty.
  http_part take(time_point now);

  /// Adds this exchange to the shard's list `ready`, once.
  void queue();

  /// Frees the request's body when it has been sent and the answer has begun.
  void drop_sent_body();

  /// Returns the meaning of libcurl's result. Reads the handle, so call it before detach().
  failure explain(CURLcode result) const;

  /// Prepares a second try if a kept connection broke before the first byte of an answer: at most
  /// once, and never for a body sent with `once`. libcurl does that too, but counts over the life
  /// of a handle and gives up at the sixth.
  bool retry(CURLcode result);

  /// Returns the deadline that has passed, if any. The connect deadline is libcurl's.
  failure overdue(time_point now) const;

  /// Returns the time of the next check: no deadline can pass before.
  time_point next_check(time_point now) const;

  enum class phase : uint8_t { waiting, active, over };

  // The members used by each part of a body stand first and together: with thousands of exchanges,
  // none of them is in a cache when its next part arrives.
  http_port::receiver deliver;
  std::vector<std::shared_ptr<http_transfer>>* ready = nullptr; // of the shard; while active
  time_point last_read{};
  std::atomic<bool> cancelled{false}; // any thread: no part may be delivered any more
  phase state = phase::waiting;
  bool queued = false; // in the shard's list `ready`
  bool head_complete = false;
  bool holds_body = false; // the request's body may still have to be sent
  bool has_body = false;   // the first body byte has come
  bool in_bulk = false;    // one of the parts taken was large
  bool yields = false;     // had its share of this iteration of the loop
  bool paused = false;
  bool retried = false;
  bool has_fine_delay = false; // pending.retry_after is of retry-after-ms
  http_part pending;
  http_request request;
  CURL* easy = nullptr;
  http_client_lane* lane = nullptr; // while libcurl works on it
  curl_slist* fields = nullptr;
  by_deadline::iterator place{}; // while active
  time_point started{};
  std::array<char, CURL_ERROR_SIZE> error_text{};
  size_t uploaded = 0; // sent bytes of the body, with `once` only
  std::string coding;  // Content-Encoding of the answer; its body is refused unless it is readable

private:
  static size_t on_header(char* data, size_t size, size_t count, void* self) noexcept;
  static size_t on_upload(char* out, size_t size, size_t count, void* self) noexcept;
  static size_t on_body(char* data, size_t size, size_t count, void* self) noexcept;
  void read_header(std::string_view line);
  std::string* place_of(std::string_view name);
  void read_retry_hint(std::string_view name, std::string_view value);
  bool can_read_body() const;
  std::string set_fields();
  void set_method();
  void set_proxy();
  std::string authority() const;
};

} // namespace troupe

// One outgoing exchange: what libcurl is told, what it brought, and when it is overdue.
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

/// Loop thread only. libcurl's callbacks collect in `pending`; nothing is delivered from within
/// them.
struct http_transfer : std::enable_shared_from_this<http_transfer> {
  using time_point = std::chrono::steady_clock::time_point;
  using by_deadline = std::multimap<time_point, std::shared_ptr<http_transfer>>;

  http_transfer(http_request what, uint64_t number, http_port::receiver receiver);
  ~http_transfer();
  http_transfer(const http_transfer&) = delete;
  http_transfer& operator=(const http_transfer&) = delete;

  /// Tells a handle what never changes from one exchange to the next.
  static void prepare(CURL* fresh);

  /// Tells the handle all of this exchange. Returns what is wrong with the request, or "".
  /// @param receive_buffer bytes @param url as it was read, if it was; outlives the exchange
  std::string attach(CURL* handle, long receive_buffer, CURLU* url);

  /// Returns whether it goes over TLS.
  bool is_secure() const { return request.url.starts_with("https:"); }

  /// Returns whether much of the body came at a time.
  bool came_in_bulk() const;

  /// Takes every trace of this exchange out of the handle and returns it.
  CURL* detach();

  /// Ends collecting: the next part is the last one.
  void finish(errc error, std::string text);

  /// Moves what was collected out; the next part starts empty.
  http_part take(time_point now);

  /// Puts this exchange among those that have something to deliver, once.
  void queue();

  /// Lets go of the request's body once it has been sent and answered.
  void drop_sent_body();

  /// Returns what libcurl's result means; asks the handle, so call it before detach().
  failure explain(CURLcode result) const;

  /// Prepares another try, at most one and none for what was sent once, if a kept connection died
  /// before it brought a byte of an answer. libcurl does that too, but counts over the life of a
  /// handle and gives up at the sixth.
  bool retry(CURLcode result);

  /// Returns the deadline that has passed, if any. The connect deadline is libcurl's.
  failure overdue(time_point now) const;

  /// Returns when to look again: no deadline can pass before.
  time_point next_check(time_point now) const;

  enum class phase : uint8_t { waiting, active, over };

  // What each part of a body touches comes first and together: among thousands of exchanges none
  // is in a cache when its next part arrives.
  http_port::receiver deliver;
  std::vector<std::shared_ptr<http_transfer>>* ready = nullptr; // of the shard; while active
  time_point last_read{};
  std::atomic<bool> cancelled{false}; // any thread: nothing is to be delivered any more
  phase state = phase::waiting;
  bool queued = false; // in the shard's list of those that have something to deliver
  bool head_complete = false;
  bool holds_body = false; // of the request, as long as it may have to be sent
  bool has_body = false;   // the first body byte has come
  bool in_bulk = false;    // one of the parts taken was large
  bool yields = false;     // it has brought all that one iteration of the loop may
  bool paused = false;
  bool retried = false;
  http_part pending;

  http_request request;
  CURL* easy = nullptr;
  http_client_lane* lane = nullptr; // while libcurl works on it
  curl_slist* fields = nullptr;
  by_deadline::iterator place{}; // while active
  time_point started{};
  std::array<char, CURL_ERROR_SIZE> error_text{};
  size_t uploaded = 0; // bytes of the body of a request that goes out once

private:
  static size_t on_header(char* data, size_t size, size_t count, void* self) noexcept;
  static size_t on_upload(char* out, size_t size, size_t count, void* self) noexcept;
  static size_t on_body(char* data, size_t size, size_t count, void* self) noexcept;
  void read_header(std::string_view line);
  std::string* place_of(std::string_view name);
  std::string set_fields();
  void set_method();
  void set_proxy();
  std::string authority() const;
};

} // namespace troupe

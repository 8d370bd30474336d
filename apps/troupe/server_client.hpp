// An HTTP client for `troupe serve`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/ports/ports.hpp"
#include "messages/wire/sse.hpp"
#include "transport/http_client/http_client.hpp"
#include "transport/loop/loop.hpp"

namespace troupe {

/// An answer of the server.
struct server_answer {
  failure error;       ///< it was not reached, or the connection broke off
  uint16_t status = 0; ///< of HTTP; 0 if there was none
  std::string body;    ///< of an answer that is no event stream
  std::string etag;    ///< "" if there was none

  bool ok() const { return !error && status >= 200 && status < 300; }

  /// Returns what went wrong, for people: the connection's failure or the message in the body.
  std::string complaint() const;
};

/// Sends requests and waits for their answers. Any thread.
class server_client {
public:
  /// Is shown each event of a stream, on the loop's thread.
  using event_visitor = std::function<void(const sse_event&)>;

  /// Is told how an answer ended, on the loop's thread.
  using end_visitor = std::function<void(server_answer)>;

  /// @param url "http://127.0.0.1:8080"; a slash or /v1 at its end is left out
  /// @param key goes with each request; "" = the one in the environment's TROUPE_API_KEY, if any
  explicit server_client(std::string url, std::string key = {});

  /// @param path with its leading slash, escaped @param body "" = none @param fields beside the
  /// usual
  server_answer send(std::string_view method, std::string_view path, std::string body = {},
                     const headers& fields = {});

  /// Sends a request whose answer may be an event stream, and returns when that ends.
  server_answer stream(std::string_view method, std::string_view path, std::string body,
                       const event_visitor& visit);

  /// Starts a stream that lasts as long as the returned exchange; `ended` is called when it ends
  /// before, or never began.
  std::unique_ptr<http_exchange> follow(std::string_view path, event_visitor visit,
                                        end_visitor ended);

  /// Sends a request whose answer may be an event stream, and returns at once. Else as follow().
  std::unique_ptr<http_exchange> begin(std::string_view method, std::string_view path,
                                       std::string body, event_visitor visit, end_visitor ended);

  /// Sends a request and waits for nothing; the answer is dropped. Any thread.
  void post(std::string_view path, std::string body);

private:
  struct reading;

  http_request request(std::string_view method, std::string_view path, std::string body) const;
  server_answer answer_to(http_request asked, const event_visitor& visit);

  shards loops_;
  http_client http_;
  std::string url_;
  std::string key_; ///< "" = none
  std::unique_ptr<http_exchange> posted_;
};

/// Returns `text` as one segment of a path.
std::string path_segment(std::string_view text);

} // namespace troupe

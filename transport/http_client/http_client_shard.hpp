// One loop's part of the HTTP client: its exchanges, their deadlines, and the delivery of parts.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <curl/curl.h>

#include "transport/http_client/http_client_buffers.hpp"
#include "transport/http_client/http_client_lane.hpp"
#include "transport/http_client/http_client_sockets.hpp"
#include "transport/http_client/http_client_transfer.hpp"
#include "transport/loop/loop.hpp"
#include "transport/loop/timer.hpp"

namespace troupe {

/// An exchange goes into the first lane with room, so that the free connections gather in the first
/// lanes. A lane that is unused for one to two minutes closes with its connections. Loop thread
/// only, or any single thread after the loop's stop().
class http_client_lanes {
public:
  explicit http_client_lanes(loop& home) : home_{home}, sockets_{home} {}

  /// Returns the lane for the next exchange. @param secure it speaks TLS
  http_client_lane& with_room(bool secure);

  /// Removes an exchange from its lane.
  void remove(http_client_lane& lane, CURL* easy);

  /// Returns whether a lane has something to do or became empty.
  bool any_due() const noexcept { return !due_.empty(); }

  /// Moves the due lanes into `out`, which is empty.
  void take_due(std::vector<http_client_lane*>& out) { out.swap(due_); }

  /// Closes `lane` if it is empty and no longer needed. Not from within the lane.
  void tidy(http_client_lane& lane);

  /// Closes lanes that are empty and were unused since the last call. Not from within a lane.
  void close_unused();

  /// Returns the number of lanes.
  size_t count() const;

  /// Closes all lanes; they must hold no exchange.
  void clear();

private:
  struct row {
    std::vector<std::unique_ptr<http_client_lane>> lanes; // nullptr: a closed lane
    size_t first = 0;                                     // all lanes before this index are full
  };

  void look_later();

  loop& home_;
  std::optional<timer> look_;
  bool looking_ = false; // the timer runs, which it does while there are lanes
  http_client_sockets sockets_;
  std::vector<http_client_lane*> due_;
  std::array<row, 2> rows_; // without and with TLS
};

/// Caches parsed URLs. Exchanges use few URLs, many times: copying a parsed URL costs a tenth of
/// parsing it, for which libcurl builds it again byte by byte. Keeps the first 256 URLs for ever,
/// because running exchanges point to them. Loop thread only.
class http_client_urls {
public:
  /// Returns the value of CURLOPT_CURLU for this URL; lives as long as this object. nullptr:
  /// libcurl must read the URL itself and report its faults.
  CURLU* find(const std::string& url);

private:
  struct cleanup {
    void operator()(CURLU* url) const noexcept { curl_url_cleanup(url); }
  };

  std::unordered_map<std::string, std::unique_ptr<CURLU, cleanup>> known_;
};

/// Runs the exchanges of one loop. Loop thread only, except home(); after the loop has stopped, any
/// single thread. libcurl is never called from its own callbacks, and receivers run only in the
/// loop's stage.
class http_client_shard final : public loop_stage {
public:
  explicit http_client_shard(loop& home);
  ~http_client_shard() override;

  /// Joins the loop.
  void attach();

  /// Cancels all exchanges and leaves the loop; later calls do nothing.
  void close();

  void start(std::shared_ptr<http_transfer> transfer);
  void cancel(http_transfer& transfer);
  void pause(http_transfer& transfer);
  void resume(http_transfer& transfer);

  bool run() override;
  loop& home() noexcept { return home_; }

private:
  using time_point = http_transfer::time_point;

  CURL* take_easy();
  void end(http_transfer& transfer);
  void finish(http_transfer& transfer, errc error, std::string text);
  void collect_finished(http_client_lane& lane);
  bool deliver();
  void go_on();
  void place(std::shared_ptr<http_transfer> transfer, time_point now);
  void check_deadlines();

  loop& home_;
  http_client_lanes lanes_;
  std::vector<http_client_lane*> running_;
  std::optional<timer> deadline_;
  std::optional<timer> next_; // the loop's next iteration
  time_point deadline_armed_ = time_point::max();
  bool open_ = false;

  http_transfer::by_deadline active_; // owns the exchanges that libcurl works on
  std::vector<std::shared_ptr<http_transfer>> ready_;
  std::vector<std::shared_ptr<http_transfer>> delivering_;
  std::vector<std::shared_ptr<http_transfer>> yielding_; // to continue in the loop's next iteration
  http_client_buffers buffers_;
  http_client_urls urls_;
  std::vector<CURL*> idle_handles_;
};

} // namespace troupe

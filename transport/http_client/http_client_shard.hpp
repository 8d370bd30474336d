// One loop's part of the HTTP client: its exchanges, their deadlines, and the delivery of parts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <curl/curl.h>

#include "transport/http_client/http_client_buffers.hpp"
#include "transport/http_client/http_client_lanes.hpp"
#include "transport/http_client/http_client_transfer.hpp"
#include "transport/http_client/http_client_urls.hpp"
#include "transport/loop/loop.hpp"

namespace troupe {

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

// The answer to one request, as its handler holds it: calls from any thread reach the connection
// on its loop, in order.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "messages/ports.hpp"

namespace troupe {

class loop;
class server_connection;

/// What a connection and the handle of its present answer share. It outlives both, and it is the
/// only way from the handle to the connection: when the answer is over, `connection` is null.
struct response_link {
  response_link(loop& on, server_connection& to, size_t high, size_t low)
      : home{on}, high_water{high}, low_water{low}, connection{&to} {}

  loop& home;
  const size_t high_water;
  const size_t low_water;

  // loop thread only
  server_connection* connection;
  std::function<void(response_signal)> watcher;
  bool gone = false; ///< the client left before the end and nobody has been told

  // any thread
  std::atomic<size_t> waiting{0};  ///< bytes in the connection's outgoing buffer
  std::atomic<size_t> posted{0};   ///< bytes on their way to it from other threads
  std::atomic<bool> full{false};   ///< write() said no: `drained` is due
  std::atomic<uint32_t> queued{0}; ///< calls on their way from other threads
  std::atomic<bool> over{false};   ///< nothing written has any effect any more

  /// Tells the watcher. Loop thread only; the watcher may call back.
  void signal(response_signal what);

  /// Ends the link. Loop thread only. @param client_left the answer was not complete: `gone`
  /// follows
  void end(bool client_left);

  /// Tells of `drained` if it is due. Loop thread only.
  void check_drained();

  /// Counts `size` more bytes and returns whether write() may go on. Any thread.
  bool admit(size_t size);
};

/// The handle. Any thread.
class server_response final : public http_response {
public:
  explicit server_response(std::shared_ptr<response_link> link) : link_{std::move(link)} {}
  ~server_response() override;

  void watch(std::function<void(response_signal)> watcher) override;
  void send(uint16_t status, const headers& extra, std::string body) override;
  void start(uint16_t status, const headers& extra) override;
  bool write(std::string_view bytes) override;
  void finish() override;
  void reset() override;

private:
  bool is_direct() const;
  bool is_over() const;
  template <class Call>
  void post(Call call);

  std::shared_ptr<response_link> link_;
  std::atomic<bool> ended_{false}; // spares the destructor its message
};

} // namespace troupe

// The last requests, for tests that look at what was really sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace troupe::scripted {

/// One request body as it came.
struct logged_request {
  uint64_t seq = 0;
  std::string model;
  std::string path; ///< that it was sent to
  std::string body;
  bool is_json = false; ///< else `body` is shown as a string
};

/// Keeps the last requests of one loop. Not thread safe.
class model_request_log {
public:
  static constexpr size_t capacity = 64;

  void add(logged_request what);
  void clear();

  /// Appends what it holds to `out`, in no particular order.
  void copy_to(std::vector<logged_request>& out) const;

private:
  std::vector<logged_request> ring_;
  size_t next_ = 0;
};

/// Returns the last model_request_log::capacity requests as a JSON array, oldest first:
/// [{"seq":n,"model":"...","body":{...},"path":"..."}...]
std::string to_json_array(std::vector<logged_request> requests);

} // namespace troupe::scripted

// The scripted model's share of one loop: reads requests and runs the answers of its connections.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "apps/model/dialect/dialect.hpp"
#include "apps/model/dialect/request_reader.hpp"
#include "apps/model/running_answer.hpp"
#include "apps/model/script/scripts.hpp"
#include "messages/http.hpp"
#include "messages/ports/ports.hpp"

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

/// Counters of all loops together. At any time requests = open + completed + aborted, apart from
/// requests that are being read.
struct model_counters {
  std::atomic<uint64_t> requests{0};
  std::atomic<uint64_t> open{0};      ///< answers under way
  std::atomic<uint64_t> completed{0}; ///< answers that ended as their script says; refusals, too
  std::atomic<uint64_t> aborted{0};   ///< answers whose client left
};

/// The facts of a request that its address tells.
struct request_address {
  const dialect* spoken = nullptr;
  std::string model = {}; ///< "": the body says it
  bool stream = false;    ///< with model
  bool as_list = false;   ///< chat_call::as_list
};

/// Answers the requests of one loop. Loop thread only, apart from the constructor.
class model_shard {
public:
  /// @param home the loop; must outlive this, as must `counters`
  /// @param max_running answers that take time and may run at once; the others wait; 0: no bound
  model_shard(loop& home, model_counters& counters, size_t max_running = 0);

  /// Answers one request for an answer of the model.
  void complete(server_request&& request, const request_address& at,
                std::shared_ptr<http_response> to);

  /// Drops the answers under way; their connections break.
  void drop_answers();

  model_request_log& log() noexcept { return log_; }

private:
  /// The whole bytes of an answer that never changes.
  enum class form : uint8_t { stream, stream_with_usage, plain };

  /// A request that was read.
  struct readable_request {
    const dialect& spoken;
    const chosen_script& script;
    const chat_call& call;
  };

  failure read(server_request& request, const request_address& at, chat_call& out);
  void refuse(const dialect& spoken, const refusal& why, http_response& to);
  void run(const readable_request& asked, std::shared_ptr<http_response> to);
  bool answer_at_once(const readable_request& asked, http_response& to);
  void send_bytes(const readable_request& asked, const std::string& bytes, http_response& to);
  void start(answer what, const readable_request& asked, std::shared_ptr<http_response> to);
  void over(running_answer& which, running_answer::outcome how);
  void begin_waiting();

  loop& home_;
  model_counters& counters_;
  const size_t max_running_;
  request_reader reader_;
  model_request_log log_;
  using prebuilt_forms = std::unordered_map<std::string, std::array<std::string, 3>>; // by model
  std::unordered_map<const dialect*, prebuilt_forms> prebuilt_;
  std::unordered_map<running_answer*, std::shared_ptr<running_answer>> open_; // also who waits
  std::deque<running_answer*> waiting_;
};

} // namespace troupe::scripted

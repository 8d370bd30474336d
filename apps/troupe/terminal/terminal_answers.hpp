// Lets a person at the terminal answer the questions of MCP servers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "apps/troupe/server_client.hpp"

namespace troupe {

/// Asks a person the requests of MCP servers, one after the other, as ask_person() does. Requests
/// that are open at its destruction get no answer.
class terminal_answers {
public:
  /// @param server takes the answers; must outlive this
  explicit terminal_answers(server_client& server);
  ~terminal_answers();

  terminal_answers(const terminal_answers&) = delete;
  terminal_answers& operator=(const terminal_answers&) = delete;

  /// Asks the person, and waits for nothing. Any thread.
  /// @param request data of a `clientRequest` event
  void ask(std::string request);

private:
  using time_point = std::chrono::steady_clock::time_point;

  struct arrived {
    std::string json; ///< client_ask
    time_point at;    ///< its time limit runs from here, even while others are answered
  };

  void work();

  server_client& server_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<arrived> requests_;
  bool ending_ = false;
  std::thread worker_;
};

} // namespace troupe

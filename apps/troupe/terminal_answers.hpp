// Answers what MCP servers ask of the client, at the terminal.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "apps/troupe/server_client.hpp"

namespace troupe {

/// From its construction to its end every request of a server (elicitation, sampling) is shown on
/// stderr with the server's name, and answered by what the person types. Nothing a server says is
/// opened or run.
class terminal_answers {
public:
  explicit terminal_answers(server_client& server);
  ~terminal_answers();

  terminal_answers(const terminal_answers&) = delete;
  terminal_answers& operator=(const terminal_answers&) = delete;

private:
  void work();
  void answer(const std::string& request);

  server_client& server_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> requests_; ///< client_ask as JSON
  bool ending_ = false;
  std::unique_ptr<http_exchange> events_;
  std::thread worker_;
};

} // namespace troupe

// Answers what MCP servers ask of the client, at the terminal.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "apps/troupe/server_client.hpp"

namespace troupe {

/// Shows requests of MCP servers (elicitation, sampling) on stderr, one after the other and with
/// the server's name, and answers them by what the person types. Nothing a server says is opened or
/// run. Its end leaves the rest unanswered.
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
  void work();
  void answer(const std::string& request);

  server_client& server_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> requests_; ///< client_ask as JSON
  bool ending_ = false;
  std::thread worker_;
};

} // namespace troupe

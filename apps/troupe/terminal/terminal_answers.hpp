// Lets a person at the terminal answer the questions of MCP servers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "apps/troupe/server_client.hpp"

namespace troupe {

/// Shows requests of MCP servers (elicitation, sampling) on stderr, one after the other and with
/// the server's name, and answers them with the typed text. A form that the server's schema refuses
/// is asked for again. No URL or command of a server is opened or run. Requests that are open at
/// its destruction get no answer.
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

  struct question;

  struct arrived {
    std::string json; ///< client_ask
    time_point at;    ///< its time limit runs from here, even while others are answered
  };

  void work();
  void answer(const arrived& request);
  static question read(std::string_view request, time_point arrived);
  bool is_over(const question& asked);
  bool type(const std::string& prompt, const question& asked, std::string& line);
  bool fill_in(const question& asked, std::string& content);
  server_answer tell(const question& asked, std::string_view action, const std::string& content);

  server_client& server_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<arrived> requests_;
  bool ending_ = false;
  std::thread worker_;
};

} // namespace troupe

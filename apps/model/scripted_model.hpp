// A scripted model that speaks the APIs of five providers, for demos, tests and benchmarks:
// docs/scripted-model.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"

namespace troupe {

class shards;

/// One script, as --help shows it.
struct script_info {
  std::string name; ///< what a request gives as `model`
  std::string description;
};

/// Returns all scripts. The names are stable. Any thread.
std::vector<script_info> scripts();

/// Returns whether a script has this name, also one with numbers in it: "paced-50".
bool is_script(std::string_view name);

/// Serves OpenAI's chat completions and responses, Anthropic's messages, Gemini and Ollama on one
/// port; what it answers depends on the request alone, whose model names the script. GET /stats
/// counts, GET /requests shows the last requests. The members are for one thread at a time, not a
/// loop's.
class scripted_model {
public:
  /// @param home carries the connections; must outlive this
  /// @param max_running bound of running answers on each loop; further ones wait, as behind a real
  /// model; answers that take no time do not count; 0: no bound
  /// @param shows_requests GET /stats and /requests are there, for whoever reaches the port
  explicit scripted_model(shards& home, size_t max_running = 0, bool shows_requests = true);

  /// Like close().
  ~scripted_model();

  scripted_model(const scripted_model&) = delete;
  scripted_model& operator=(const scripted_model&) = delete;

  /// Starts to listen. At most once.
  /// @param address "127.0.0.1:8000", "[::1]:0"; port 0 takes a free one
  /// @return config_invalid or address_unavailable, with what to do about it
  failure listen(std::string_view address);

  /// Returns the port listened on, or 0.
  uint16_t port() const;

  /// Returns what a client takes as base URL, "http://127.0.0.1:8000/v1"; "" before listen().
  std::string base_url() const;

  /// Stops listening and breaks off the answers under way. Idempotent.
  void close();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe

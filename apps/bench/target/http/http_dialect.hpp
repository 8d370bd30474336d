// Protocols over HTTP: how turns are asked for and answered.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apps/bench/plan/plan.hpp"
#include "apps/bench/target/chat_history.hpp"
#include "apps/bench/target/http/answer_reader.hpp"
#include "apps/bench/target/target.hpp"
#include "messages/http.hpp"
#include "messages/json.hpp"

namespace troupe::bench {

/// Knows the requests and answers of one protocol, sends nothing. Immutable: any thread.
class http_dialect {
public:
  virtual ~http_dialect() = default;
  http_dialect(const http_dialect&) = delete;
  http_dialect& operator=(const http_dialect&) = delete;

  /// @param said the chat up to and including this turn's message; without brings_history() only
  /// the made-up history and this message
  virtual http_request ask(const turn_ask& what, const chat_history& said) const = 0;

  /// @param keep_bytes as answer_reader has it
  virtual std::unique_ptr<answer_reader> reader(size_t keep_bytes) const = 0;

  /// Returns whether each turn brings the chat so far.
  virtual bool brings_history() const { return true; }

  /// Returns the request that stops a chat's turn; nothing if closing the connection stops it.
  std::optional<http_request> stop(const std::string& session_id) const;

  /// Returns a cheap request that shows whether the target is there.
  virtual http_request probe() const;

  /// Returns why the target cannot be used, judged by its answer to the probe.
  virtual failure judge(uint16_t status, const std::string& body) const;

protected:
  /// @param url of the requests for turns
  /// @param key_variable the environment's name of the API key, which joins the target's header
  /// fields unless these have an authorization already
  http_dialect(const target_spec& target, std::string url, const char* key_variable);

  const target_spec& target() const noexcept { return target_; }
  const std::string& url() const noexcept { return url_; }

  /// Appends the member `model` to an object that has members already, unless the target chooses.
  void append_model(json_buffer& out) const;

private:
  /// Returns whether the target is a Troupe server, which has routes to stop and to probe.
  bool is_troupe() const;

  target_spec target_;
  std::string url_;
};

/// @param target of kind troupe, native, openai or ai_sdk
std::unique_ptr<http_dialect> make_dialect(const target_spec& target);

/// Returns `url` with `path` in place of the path of a Troupe route, and with its query.
std::string troupe_address(const std::string& url, std::string_view path);

} // namespace troupe::bench

// How turns are asked for and answered in one protocol over HTTP.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "apps/bench/plan/plan.hpp"
#include "apps/bench/target/chat_history.hpp"
#include "apps/bench/target/http/answer_reader.hpp"
#include "apps/bench/target/target.hpp"
#include "messages/http.hpp"

namespace troupe::bench {

/// Knows requests and answers, sends nothing. Immutable: any thread.
class http_dialect {
public:
  virtual ~http_dialect() = default;

  /// @param said the chat up to and including this turn's message; without brings_history() only
  /// the made-up history and this message
  virtual http_request ask(const turn_ask& what, const chat_history& said) const = 0;

  /// @param keep_bytes as answer_reader has it
  virtual std::unique_ptr<answer_reader> reader(size_t keep_bytes) const = 0;

  /// Returns whether each turn brings the chat so far.
  virtual bool brings_history() const = 0;

  /// Returns the request that stops a chat's turn; nothing if closing the connection stops it.
  virtual std::optional<http_request> stop(const std::string& session_id) const = 0;

  /// Returns a cheap request that shows whether the target is there.
  virtual http_request probe() const = 0;

  /// Returns why the target cannot be used, judged by its answer to the probe.
  virtual failure judge(uint16_t status, const std::string& body) const = 0;
};

/// @param target of kind troupe, native, openai or ai_sdk
std::unique_ptr<http_dialect> make_dialect(const target_spec& target);

/// Returns `target` with the API key of the environment among its header fields, unless these have
/// an authorization already.
/// @param key_variable the environment's name of the key
target_spec with_key(target_spec target, const char* key_variable);

/// Make a POST of JSON, or a GET, with the target's own header fields. Only connecting has a time
/// limit. A POST is never repeated, even if its kept connection breaks before an answer.
http_request json_post(const target_spec& target, std::string url, std::string body);
http_request plain_get(const target_spec& target, std::string url);

} // namespace troupe::bench

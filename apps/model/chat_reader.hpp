// Reads and checks the body of a chat completion request.
#pragma once

#include <memory>
#include <string>

#include "apps/model/chat_call.hpp"
#include "messages/errors.hpp"

namespace troupe::scripted {

/// Reads request bodies, one after the other; keeps its memory between them. Not thread safe.
class chat_reader {
public:
  chat_reader();
  ~chat_reader();
  chat_reader(const chat_reader&) = delete;
  chat_reader& operator=(const chat_reader&) = delete;

  /// Checks the whole request as strictly as OpenAI does and fills `out`. Fails with
  /// errc::request_invalid, naming the place ("messages[2].tool_call_id ..."): also when a tool
  /// call of the history has no result or a result has no call.
  /// @param body is given spare capacity behind its end, its text stays
  failure read(std::string& body, chat_call& out);

  /// Returns whether the body that was read last was JSON at all.
  bool is_json() const noexcept;

  /// Returns the rest of the request that was read last; read() must have succeeded.
  conversation talk() const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe::scripted

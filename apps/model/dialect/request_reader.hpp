// Reads and checks the body of a request, in any dialect.
#pragma once

#include <memory>
#include <string>

#include "apps/model/dialect/dialect.hpp"
#include "apps/model/script/chat_call.hpp"
#include "messages/errors.hpp"

namespace troupe::scripted {

/// Reads request bodies, one after the other; keeps its memory between them. Not thread safe.
class request_reader {
public:
  request_reader();
  ~request_reader();
  request_reader(const request_reader&) = delete;
  request_reader& operator=(const request_reader&) = delete;

  /// Checks the whole request as strictly as the provider does and fills `out`, but for what the
  /// request's path says. Fails with errc::request_invalid, naming the place
  /// ("messages[2].tool_call_id ..."): also when a tool call of the history has no result or a
  /// result has no call.
  /// @param body is given spare capacity after its end, its text stays
  failure read(std::string& body, const dialect& spoken, chat_call& out);

  /// Returns whether the body that was read last was JSON at all.
  bool is_json() const noexcept;

  /// Returns the rest of the request that was read last; read() must have succeeded.
  conversation talk() const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace troupe::scripted

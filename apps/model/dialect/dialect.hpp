// One provider's API, as the scripted model speaks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "apps/model/script/answer.hpp"
#include "apps/model/script/chat_call.hpp"
#include "messages/errors.hpp"
#include "messages/http.hpp"
#include "messages/json.hpp"

namespace troupe::scripted {

/// Writes the pieces of one answer as the frames of a stream. Equal answers give equal bytes. The
/// walk over the answer is answer_frames'. Not thread safe.
class frame_writer {
public:
  frame_writer() = default;
  frame_writer(const frame_writer&) = delete;
  frame_writer& operator=(const frame_writer&) = delete;
  virtual ~frame_writer() = default;

  /// Returns whether a call comes in one piece: arguments() is not called then.
  virtual bool has_whole_calls() const { return false; }

  virtual void begin(json_buffer& out) = 0;
  virtual void reasoning(json_buffer& out, std::string_view token) = 0;
  virtual void text(json_buffer& out, std::string_view token) = 0;

  /// Begins a call, or writes all of it. @param index in answer::calls
  virtual void call(json_buffer& out, size_t index) = 0;
  virtual void arguments(json_buffer&, size_t, std::string_view) {}

  /// Writes what is after the last token. @param tokens of the answer
  virtual void end(json_buffer& out, size_t tokens) = 0;

  /// Writes an error in place of the end.
  virtual void fail(json_buffer& out, const refusal& why) = 0;
};

/// An answer of HTTP in one piece.
struct http_answer {
  uint16_t status = 200;
  headers fields;
  std::string body;
};

/// A provider's API. Requests are checked as strictly as the provider does, or its strictest clone.
/// All functions are for any thread.
struct dialect {
  /// Checks a request and fills `out`, but for what the request's path says. Fails with
  /// errc::request_invalid and the provider's words, which name the place.
  failure (*check)(simdjson::dom::object request, chat_call& out);

  /// Returns what scripts want to know of a request that was checked.
  conversation (*talk)(simdjson::dom::object request);

  /// @param what outlives the writer
  std::unique_ptr<frame_writer> (*frames)(const answer& what, const chat_call& call);

  /// Returns the body of an answer in one piece.
  std::string (*whole)(const answer& what, const chat_call& call);

  http_answer (*refuse)(const refusal& why);

  std::string_view stream_type;       ///< content type of streams
  std::string_view needs_header = {}; ///< requests without this header field are refused
  std::string_view seal_missing = {}; ///< why a request without the sealed reasoning of an answer
                                      ///< with calls is refused; "": there is none
};

/// Returns the content type of the call's stream.
inline std::string_view stream_type_of(const dialect& spoken, const chat_call& call) {
  return call.as_list ? std::string_view{"application/json"} : spoken.stream_type;
}

} // namespace troupe::scripted

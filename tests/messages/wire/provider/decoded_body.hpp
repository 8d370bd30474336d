// What any provider's decoder makes of a body, cut in any way.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/json.hpp"
#include "messages/wire/providers.hpp"
#include "tests/support/catch.hpp"

namespace troupe::test {

/// The head of an answer, and how its transfer ended.
struct body_frame {
  uint16_t status = 200;
  std::string content_type = "text/event-stream";
  std::string retry_after = {};
  failure cut = {};
};

/// The events of a body, and its end.
struct decoded_body {
  std::vector<event> events;
  model_end end;

  std::string text() const { return joined<text_delta>(); }
  std::string reasoning() const { return joined<reasoning_delta>(); }

  std::vector<tool_args_complete> calls() const;

  /// Returns the answer as a message of the history, with its calls as the model wrote them.
  chat_message message() const;

private:
  template <class Delta>
  std::string joined() const {
    std::string made;
    for (const auto& each : events)
      if (const auto* delta = std::get_if<Delta>(&each))
        made += delta->text;
    return made;
  }
};

/// Cuts `body` into pieces of `bytes`; 0: one piece.
std::vector<std::string_view> pieces_of_body(std::string_view body, size_t bytes);

/// Decodes pieces that each lie in memory of their own, so that a sanitizer sees a byte too far.
decoded_body decode_body(std::string_view provider, const body_frame& frame,
                         const std::vector<std::string_view>& pieces);

std::string body_line(const event& what);

/// Returns the answer in the lines of an .expect file (answer_fixtures.hpp).
std::vector<std::string> body_lines(const decoded_body& answer);

/// Joins deltas of one part that follow each other.
std::vector<event> merged(const std::vector<event>& events);

/// The lines of an answer that does not tell how its parts were cut.
std::vector<std::string> merged_lines(const decoded_body& answer);

} // namespace troupe::test

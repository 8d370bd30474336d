// Answers of a turn, read by one of troupe-bench's readers in any pieces.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps/bench/target/http/answer_reader.hpp"
#include "messages/chat/events.hpp"

namespace troupe::test {

using bench::observed;
using bench::turn_observation;

inline std::string name_of_sign(observed what) {
  switch (what) {
  case observed::event:
    return "event";
  case observed::text:
    return "text";
  case observed::arguments_end:
    return "arguments_end";
  case observed::tool_start:
    return "tool_start";
  case observed::tool_end:
    return "tool_end";
  case observed::model_request:
    return "model_request";
  case observed::end:
    return "end";
  case observed::failed:
    return "failed";
  }
  return {};
}

/// "text*3 tool_end end"; pieces of text that follow one another are summed up, so that it does not
/// matter how the bytes were cut. A failure has its code: "failed(aborted)".
inline std::string as_text(const std::vector<turn_observation>& observations) {
  std::string out;
  uint32_t texts = 0;
  const auto flush = [&] {
    if (texts > 0)
      out += fmt::format("text*{} ", texts);
    texts = 0;
  };
  for (const auto& each : observations) {
    if (each.what == observed::text) {
      texts += each.count;
      continue;
    }
    flush();
    out += name_of_sign(each.what);
    if (each.what == observed::failed)
      out += fmt::format("({})", to_string(each.code));
    out += ' ';
  }
  flush();
  if (!out.empty())
    out.pop_back();
  return out;
}

/// What a reader made of a body.
struct read_answer {
  std::string observations;
  std::string text;       ///< as characters of a JSON string
  std::string message_id; ///< the same
  std::string failure;
  usage used;
};

/// Reads pieces that each lie in memory of their own, so that a sanitizer sees a byte too far.
template <class Reader>
read_answer read_by(const std::vector<std::string_view>& pieces, bool stop_expected = false) {
  Reader reader{4096};
  if (stop_expected)
    reader.expect_stop();
  std::vector<turn_observation> observations;
  for (auto piece : pieces) {
    const std::vector<char> copy(piece.begin(), piece.end());
    reader.feed({copy.data(), copy.size()}, observations);
  }
  reader.finish(observations);
  read_answer out{as_text(observations), reader.take_text(), reader.message_id(), "", {}};
  if (!observations.empty())
    out.used = observations.back().used;
  if (!observations.empty() && observations.back().what == observed::failed)
    out.failure = observations.back().text;
  return out;
}

/// Returns the observations of the body in one piece, or where a cut makes them others.
template <class Reader>
std::string observations_at_every_cut(std::string_view body) {
  const auto whole = read_by<Reader>({body});
  for (size_t cut = 1; cut < body.size(); ++cut) {
    const auto halves = read_by<Reader>({body.substr(0, cut), body.substr(cut)});
    if (halves.observations != whole.observations || halves.text != whole.text)
      return fmt::format("cut at {}: {} | {}", cut, halves.observations, halves.text);
  }
  std::vector<std::string_view> bytes;
  for (size_t i = 0; i < body.size(); ++i)
    bytes.push_back(body.substr(i, 1));
  const auto slowly = read_by<Reader>(bytes);
  if (slowly.observations != whole.observations || slowly.text != whole.text)
    return "byte by byte: " + slowly.observations;
  return whole.observations;
}

/// A turn with a tool call, two pieces of text before and three behind it.
inline event_batch tool_turn() {
  event_batch out;
  out.session_id = "s";
  out.turn_id = "t";
  out.first_seq = 1;
  out.events = {session_start{"msg_1"},
                model_response_waiting{0, "m"},
                text_delta{"Let \"me\" "},
                reasoning_delta{"hm"},
                text_delta{"look. \xF0\x9F\x98\x80"},
                tool_args_start{"c1", "sum", false},
                tool_args_delta{"c1", "{\"a\":1}"},
                tool_args_complete{"c1", "sum", {"{\"a\":1}"}, false, errc::none, ""},
                mcp_tool_start{"c1", "sum", "demo"},
                mcp_tool_success{"c1", "sum", "demo", {"{\"content\":[]}"}, "1"},
                model_response_waiting{1, "m"},
                text_delta{"It"},
                text_delta{" is"},
                text_delta{" 1.\n"},
                model_generation_stop{},
                session_end{finish_reason::stop, {30, 12, 42, 0, 0}, 1}};
  return out;
}

} // namespace troupe::test

// What the micro-benchmarks read and write: the 50-token reply of the scripted model, in each form.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "messages/chat/events.hpp"

namespace troupe::micro {

inline constexpr size_t tokens = 50;

/// Returns a token of the reply; its length differs as that of words does.
inline std::string token(size_t number) {
  constexpr std::string_view words[] = {" every", " chat", " is", " an",    " actor,",
                                        " and",   " it's", " a",  " small", " machine"};
  return std::string{words[number % std::size(words)]};
}

/// Returns the JSON of a chunk with this delta, an object's members.
inline std::string chunk(std::string_view delta, std::string_view reason = "null") {
  return fmt::format(R"({{"id":"chatcmpl-troupe","object":"chat.completion.chunk",)"
                     R"("created":1735689600,"model":"text","system_fingerprint":"fp_troupe",)"
                     R"("choices":[{{"index":0,"delta":{{{}}},"logprobs":null,)"
                     R"("finish_reason":{}}}]}})",
                     delta, reason);
}

/// Returns the JSON of the chunk that brings a token.
inline std::string token_chunk(size_t number) {
  return chunk(fmt::format(R"("content":"{}")", token(number)));
}

/// Returns the body of a streamed answer, [DONE] included.
inline std::string model_reply() {
  auto out = "data: " + chunk(R"("role":"assistant","content":"")") + "\n\n";
  for (size_t i = 0; i < tokens; ++i)
    out += "data: " + token_chunk(i) + "\n\n";
  return out + "data: " + chunk("", R"("stop")") + "\n\ndata: [DONE]\n\n";
}

inline event_batch batch_of(std::vector<event> events, uint64_t first_seq) {
  return {"chat-1", "turn-1", first_seq, 1'000'000, std::move(events)};
}

/// Returns the events of a plain turn.
/// @param per_batch tokens that came with one read of the network: 50 from an instant model, 1 when
/// they are paced
inline std::vector<event_batch> plain_turn(size_t per_batch) {
  std::vector<event_batch> out{
      batch_of({session_start{"msg-1"}, model_response_waiting{0, "text"}}, 1)};
  for (size_t i = 0; i < tokens; i += per_batch) {
    std::vector<event> some;
    for (size_t k = i; k < i + per_batch && k < tokens; ++k)
      some.emplace_back(text_delta{token(k)});
    out.push_back(batch_of(std::move(some), 3 + i));
  }
  out.push_back(batch_of({model_generation_stop{}, session_end{}}, 3 + tokens));
  return out;
}

} // namespace troupe::micro

#include "apps/model/script/scripts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <system_error>

#include "apps/model/script/tool_scripts.hpp"

namespace troupe::scripted {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view name_of_paced = "paced";
constexpr size_t most_tokens = 1'000'000;
constexpr double fastest_pace = 1e6;

answer say(std::string_view text) {
  answer out;
  out.text = text;
  return out;
}

answer text_script(const script_input&) {
  return say(fifty_tokens());
}

answer echo_script(const script_input& in) {
  return say(in.talk.user_text);
}

answer paced_script(const script_input& in) {
  auto out = say(in.tokens == 0 ? std::string_view{} : fifty_tokens());
  out.tokens = in.tokens;
  out.interval = std::chrono::microseconds{static_cast<int64_t>(1e6 / in.tokens_per_second)};
  return out;
}

template <refusal_kind Kind>
answer error_script(const script_input&) {
  answer out;
  out.end = ending::refused;
  out.refused.kind = Kind;
  return out;
}

/// Ten tokens, or none, and then an error in the stream.
template <refusal_kind Kind, size_t Tokens>
answer stream_error_script(const script_input&) {
  auto out = say(Tokens == 0 ? std::string_view{} : fifty_tokens());
  out.tokens = Tokens;
  out.end = ending::failed;
  out.refused.kind = Kind;
  return out;
}

template <uint16_t Status>
answer html_script(const script_input&) {
  answer out;
  out.end = ending::verbatim;
  out.status = Status;
  out.fields = {{"content-type", "text/html; charset=utf-8"}};
  out.body = Status == 200 ? "<!doctype html><html><head><title>Sign in</title></head>"
                             "<body><h1>Please sign in</h1></body></html>\n"
                           : "<html><head><title>502 Bad Gateway</title></head>"
                             "<body><center><h1>502 Bad Gateway</h1></center></body></html>\n";
  return out;
}

/// Ten tokens and then this end.
template <ending End>
answer broken_script(const script_input&) {
  auto out = say(fifty_tokens());
  out.tokens = 10;
  out.end = End;
  return out;
}

answer silent_script(const script_input&) {
  answer out;
  out.end = ending::silent;
  return out;
}

answer slow_start_script(const script_input& in) {
  auto out = text_script(in);
  out.delay = 2s;
  return out;
}

answer reasoning_script(const script_input& in) {
  auto out = text_script(in);
  out.reasoning = "The user wants an answer. A fixed one will do, after some thought.";
  return out;
}

/// Thinks, calls a tool as `chain` does, and thinks again.
answer reasoning_chain_script(const script_input& in) {
  auto out = chain_script(in);
  out.reasoning = in.talk.rounds == 0 ? "The user wants something that a tool can do."
                                      : "There is a result. What is still missing?";
  return out;
}

/// The answer of text in two parts: providers that pause have the second one asked for.
answer pause_script(const script_input& in) {
  auto out = text_script(in);
  const auto half = out.text.find(" and ");
  if (!in.talk.goes_on)
    out.finish = "pause";
  out.text = in.talk.goes_on ? out.text.substr(half) : out.text.substr(0, half);
  return out;
}

answer filtered_script(const script_input&) {
  auto out = say(fifty_tokens());
  out.tokens = 10;
  out.finish = "content_filter";
  return out;
}

answer long_script(const script_input&) {
  auto out = say(fifty_tokens());
  out.tokens = 100'000;
  return out;
}

answer empty_script(const script_input&) {
  return {};
}

answer length_script(const script_input& in) {
  auto out = text_script(in);
  out.finish = "length";
  return out;
}

constexpr std::array rows{
    script{"text", "a fixed answer of 50 tokens, at once", false, text_script},
    script{"echo", "repeats the last user message", true, echo_script},
    script{"call", "calls one tool (echo, get-sum/add or the first), then quotes its result", true,
           call_script},
    script{"chain",
           "calls echo, then get-sum (on another server if one offers it), then quotes both", true,
           chain_script},
    script{"parallel", "two calls in one answer, then quotes both results", true, parallel_script},
    script{name_of_paced,
           "50 tokens at 5 tokens/s; paced-N: at N tokens/s; paced-N-M: M tokens at N tokens/s",
           false, paced_script},
    script{"unknown-tool", "calls a tool that does not exist, then quotes what it is told", true,
           unknown_tool_script},
    script{"bad-arguments", "calls a tool with arguments that are not JSON, then quotes the result",
           true, bad_arguments_script},
    script{"tool-error", "calls a tool in a way that it refuses, then quotes the result", true,
           tool_error_script},
    script{"error-400", "status 400 with an error object", false,
           error_script<refusal_kind::invalid>},
    script{"error-401", "status 401 with an error object", false,
           error_script<refusal_kind::unauthorized>},
    script{"error-429", "status 429 with an error object and Retry-After: 1", false,
           error_script<refusal_kind::rate_limited>},
    script{"error-500", "status 500 with an error object", false,
           error_script<refusal_kind::failed>},
    script{"error-503", "too busy: status 503, of Anthropic 529", false,
           error_script<refusal_kind::overloaded>},
    script{"error-quota", "status 429, because the quota is used up: another try is in vain", false,
           error_script<refusal_kind::no_quota>},
    script{"error-in-stream", "10 tokens, then an error in the stream", false,
           stream_error_script<refusal_kind::failed, 10>},
    script{"busy-in-stream", "status 200, and the stream begins with the error of a busy server",
           false, stream_error_script<refusal_kind::overloaded, 0>},
    script{"html", "status 200 with a web page instead of an answer", false, html_script<200>},
    script{"html-502", "status 502 with a web page, as a proxy sends it", false, html_script<502>},
    script{"cut", "10 tokens, then the connection breaks", false, broken_script<ending::cut>},
    script{"cut-clean", "10 tokens, then a clean end without finish_reason and [DONE]", false,
           broken_script<ending::cut_clean>},
    script{"silent", "takes the request and never answers", false, silent_script},
    script{"stall", "10 tokens, then nothing more on an open connection", false,
           broken_script<ending::stall>},
    script{"slow-start", "the answer of text, two seconds late", false, slow_start_script},
    script{"reasoning", "reasoning_content, then the answer of text", false, reasoning_script},
    script{"reasoning-chain", "thinks and calls tools as chain; wants its thoughts back, sealed",
           true, reasoning_chain_script, true},
    script{"pause", "half of the answer of text, paused; then the rest, where a provider can pause",
           true, pause_script},
    script{"filtered", "10 tokens, then the provider's filter ends the answer", false,
           filtered_script},
    script{"long", "100000 tokens, as fast as they are read", false, long_script},
    script{"loop", "calls a tool in every answer, for ever", true, loop_script},
    script{"empty", "an answer without any content", false, empty_script},
    script{"length", "the answer of text with finish_reason length", false, length_script},
    script{"hang-call", "calls a tool that does not answer (hang, trigger-long-running-operation)",
           true, hang_call_script},
    script{"told",
           "the calls that lines of the user's message order (call NAME {JSON}), then quotes", true,
           told_script},
    script{"demo", "talks to a person: calls a fitting tool, says that it is the scripted model",
           true, demo_script},
};

/// Reads digits up to the end of `text` or the next '-', and takes both off `text`.
bool take_number(std::string_view& text, size_t& out) {
  const auto digits = text.substr(0, text.find('-'));
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (wrong != std::errc{} || end != digits.data() + digits.size())
    return false;
  text.remove_prefix(std::min(digits.size() + 1, text.size()));
  return true;
}

/// Reads "N" or "N-M".
bool read_pace(std::string_view text, chosen_script& out) {
  size_t pace = 0;
  const bool has_tokens = text.find('-') != std::string_view::npos;
  if (!take_number(text, pace) || pace == 0 || static_cast<double>(pace) > fastest_pace)
    return false;
  out.tokens_per_second = static_cast<double>(pace);
  return !has_tokens ||
         (take_number(text, out.tokens) && text.empty() && out.tokens <= most_tokens);
}

} // namespace

std::string_view fifty_tokens() {
  return "Every chat is an actor of its own: it holds the turn, asks the model, runs the tools "
         "that "
         "the model wants, and sends what comes back to the client, one event after the other, "
         "until the model is done or until the user has heard enough and stops it.";
}

std::span<const script> all_scripts() {
  return rows;
}

chosen_script find_script(std::string_view name) {
  chosen_script out;
  for (const auto& row : all_scripts()) {
    const bool paced = row.name == name_of_paced && name.starts_with("paced-") &&
                       read_pace(name.substr(name_of_paced.size() + 1), out);
    if (row.name == name || paced) {
      out.row = &row;
      break;
    }
  }
  return out;
}

} // namespace troupe::scripted

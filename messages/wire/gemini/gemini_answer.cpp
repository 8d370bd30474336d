#include "messages/wire/gemini/gemini_answer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/usage.hpp"
#include "messages/wire/history/sealed_blocks.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_literal.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/finish_words.hpp"
#include "messages/wire/provider/provider_error.hpp"
#include "messages/wire/provider/repaired_json.hpp"
#include "messages/wire/provider/token_count.hpp"

namespace troupe {

// -- gemini chunk shape ---------------------------------------------------------------------------

namespace {

constexpr std::string_view digits = "0123456789";

/// Adds the numbers from `at` on. Digits inside of strings are none: "gemini-2.0-flash-001".
void add_numbers(std::vector<known_shape::place>& into, std::string_view json, size_t at) {
  while ((at = json.find_first_of("\"0123456789", at)) < json.size()) {
    if (json[at] == '"') {
      at = std::min(end_of_json_string(json, at + 1), json.size() - 1) + 1;
      continue;
    }
    const auto end = std::min(json.find_first_not_of(digits, at), json.size());
    into.push_back({known_shape::hole::number, at, end});
    at = end;
  }
}

} // namespace

void gemini_chunk_shape::learn(std::string_view json, std::string_view literal, bool is_thought) {
  const auto first = static_cast<size_t>(literal.data() - json.data()) + 1;
  const auto end = first + literal.size() - 2;
  std::vector<known_shape::place> places{{known_shape::hole::literal, first, end}};
  const auto counts = json.find(R"("usageMetadata")", end);
  if (json.size() - literal.size() <= 2 * known_shape::max_bytes) // else too large in any case
    add_numbers(places, json, std::min(counts, json.size()));
  shape_.learn(json, places);
  is_thought_ = is_thought;
}

namespace {

/// Returns whether a `blockReason` blocks the prompt: any, but for the word for none.
bool is_block_reason(std::string_view name) {
  return !name.empty() && name != "BLOCK_REASON_UNSPECIFIED" &&
         name != "BLOCKED_REASON_UNSPECIFIED";
}

// -- gemini answer --------------------------------------------------------------------------------

/// Reads the counts, in our way to count: the output has the thoughts, the input what tools of the
/// provider needed. Nothing if there are none.
std::optional<usage> read_gemini_usage(const gemini_counts& counts) {
  if (counts.prompt.empty() && counts.candidates.empty() && counts.total.empty())
    return std::nullopt;
  usage read;
  read.reasoning_tokens = token_count(counts.thoughts);
  read.input_tokens = token_count(counts.prompt) + token_count(counts.tool_prompt);
  read.output_tokens = token_count(counts.candidates) + read.reasoning_tokens;
  read.total_tokens = std::max(token_count(counts.total), read.input_tokens + read.output_tokens);
  read.cached_input_tokens = token_count(counts.cached);
  return read;
}

/// Returns the parts as metadata; "" for what is no JSON: parts are passed on as they came.
std::string sealed(std::string_view model, const std::string& parts) {
  return json_fault(parts).empty() ? seal_blocks("gemini", model, parts) : std::string{};
}

} // namespace

gemini_answer::gemini_answer(std::string model, std::string id_prefix)
    : model_{std::move(model)}, calls_{std::move(id_prefix)} {}

failure gemini_answer::read(const answer_text& text, std::vector<event>& out) {
  if (text.data.starts_with("[DONE]")) {
    done_ = finished();
    return {};
  }
  if (text.type == "error")
    return provider_error(200, text.data);
  if (std::string_view literal;
      takes_known() && shape_.match(text.data, literal) == text.data.size()) {
    take_known(text.data, literal, out);
    return {};
  }
  const auto first = out.size();
  const auto was_finished = finished();
  auto problem = read_json(text.data, text.readable, out);
  shown_ = shown_ || out.size() > first;
  resumed_ = resumed_ || (was_finished && out.size() > first);
  return problem;
}

size_t gemini_answer::read_known_events(std::string_view stream, std::vector<event>& out) {
  constexpr std::string_view label = "data: ";
  size_t read = 0;
  std::string_view literal;
  while (takes_known() && stream.substr(read).starts_with(label)) {
    const auto json = stream.substr(read + label.size());
    const auto bytes = shape_.match(json, literal);
    const auto behind = json.substr(bytes);
    const size_t ending = behind.starts_with("\r\n\r\n") ? 4 : behind.starts_with("\n\n") ? 2 : 0;
    if (bytes == 0 || ending == 0)
      break;
    take_known(json.substr(0, bytes), literal, out);
    read += label.size() + bytes + ending;
  }
  return read;
}

void gemini_answer::take_known(std::string_view json, std::string_view literal,
                               std::vector<event>& out) {
  const auto first = out.size();
  ++chunks_;
  known_ = json;
  gemini_part part;
  part.text = literal;
  part.is_thought = shape_.is_thought();
  parts_.add_text(part);
  pieces_.read(literal, part.is_thought, out);
  shown_ = shown_ || out.size() > first;
}

/// Reads the counts of the last known chunk: those of all before it count no more.
void gemini_answer::count_known() {
  if (known_.empty())
    return;
  const auto length = known_.size();
  known_.append(json_padding, '\0');
  gemini_chunk chunk;
  if (read_gemini_chunk(std::string_view{known_}.substr(0, length), chunk))
    if (auto counted = read_gemini_usage(chunk.usage))
      used_.update(*counted);
  known_.clear();
}

/// Remembers the shape of a chunk that has nothing but one text.
void gemini_answer::learn(std::string_view json, const gemini_chunk& chunk) {
  if (chunk.parts.size() != 1 || !chunk.finish_reason.empty() || !chunk.block_reason.empty() ||
      !chunk.error.empty())
    return;
  const auto part = read_gemini_part(chunk.parts.front());
  if (part.text.size() > 2 && part.signature.empty() && part.call.empty() && part.other.empty())
    shape_.learn(json, part.text, part.is_thought);
}

failure gemini_answer::read_json(std::string_view json, size_t readable, std::vector<event>& out) {
  gemini_chunk chunk;
  if (readable >= json.size() + json_padding && read_gemini_chunk(json, chunk) &&
      chunk.behind.empty()) {
    learn(json, chunk);
    return take(chunk, out);
  }
  const repaired_json copy{json};
  for (auto left = copy.text(); !left.empty();) {
    gemini_chunk next;
    if (!read_gemini_chunk(left, next))
      return no_json(left);
    if (auto problem = take(next, out))
      return problem;
    left = next.behind;
  }
  return {};
}

failure gemini_answer::take(const gemini_chunk& chunk, std::vector<event>& out) {
  if (!chunk.error.empty())
    return provider_error(200, chunk.error);
  ++chunks_;
  begun_ = begun_ || chunk.is_answer;
  calls_.next_chunk();
  count_known();
  if (auto counted = read_gemini_usage(chunk.usage))
    used_.update(*counted);
  take_end(chunk); // first: the calls of an answer that broke off in them are not shown
  for (auto each : chunk.parts)
    if (auto problem = take_part(each, out))
      return problem;
  return {};
}

void gemini_answer::take_end(const gemini_chunk& chunk) {
  if (auto name = json_string(chunk.block_reason); is_block_reason(name)) {
    said_ = finish_reason::content_filter;
    blocked_ = true;
    raw_reason_ = std::move(name);
    message_ = json_string(chunk.block_message);
  }
  auto name = json_string(chunk.finish_reason);
  if (name.empty() || name == "FINISH_REASON_UNSPECIFIED")
    return;
  said_ = read_finish_word(finish_api::of_gemini, name);
  raw_reason_ = std::move(name);
  message_ = json_string(chunk.finish_message);
}

failure gemini_answer::take_part(std::string_view json, std::vector<event>& out) {
  const auto part = read_gemini_part(json);
  if (!part.call.empty())
    return take_call(part, out);
  const auto is_text = part.text.size() > 2;
  if (!is_text && part.signature.empty() && part.other.empty())
    return {}; // a part without anything, or an empty text
  if (auto problem = end_call(out))
    return problem;
  if (!part.other.empty()) {
    parts_.add_other(json, part);
    return {};
  }
  parts_.add_text(part);
  pieces_.read(part.text, part.is_thought, out);
  return {};
}

void gemini_answer::complete(std::vector<event>& out) {
  count_known();
  if (reason() == finish_reason::error)
    return complete_started(out);
  const auto first = out.size();
  pieces_.flush(out);
  const auto is_cut_off = is_cut(reason());
  if (open_ && !is_cut_off)
    static_cast<void>(end_call(out)); // the bound of its arguments was checked on the way
  calls_.complete_all(is_cut_off, out);
  shown_ = shown_ || out.size() > first;
  if (shown_ || parts_.kinds().empty())
    return;
  out.emplace_back(text_delta{gemini_note(parts_.kinds())});
  shown_ = true;
}

void gemini_answer::complete_started(std::vector<event>& out) {
  count_known();
  pieces_.flush(out);
  calls_.complete_started(out);
}

finish_reason gemini_answer::reason() const noexcept {
  if (said_ && is_cut(*said_))
    return *said_;
  if (calls_.any())
    return finish_reason::tool_calls;
  return said_.value_or(finish_reason::other);
}

/// Returns why the answer is of no use.
failure gemini_answer::fault() const {
  const auto behind = message_.empty() ? std::string{} : ": " + excerpt(message_, 1000);
  if (said_ == finish_reason::error)
    return {errc::model_failed,
            fmt::format("The model broke off in a tool call ({}){}", raw_reason_, behind)};
  if (!shown_ && said_ == finish_reason::stop)
    return said_nothing();
  return {};
}

model_end gemini_answer::end() const {
  model_end made;
  made.used = used_;
  made.raw_reason = raw_reason_;
  if (said_ == finish_reason::content_filter && !message_.empty())
    made.raw_reason += ": " + excerpt(message_);
  made.refused = blocked_ && !shown_; // it would be with each further turn: the prompt is the chat
  made.error = fault();
  made.reason = made.error ? finish_reason::error : reason();
  if (!made.error && parts_.are_needed() && !open_)
    made.provider_metadata = sealed(model_, parts_.json());
  return made;
}

} // namespace troupe

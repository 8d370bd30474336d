#include "messages/wire/anthropic/anthropic_answer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "messages/errors.hpp"
#include "messages/json.hpp"
#include "messages/wire/anthropic/anthropic_sealed.hpp"
#include "messages/wire/history/sealed_blocks.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/finish_words.hpp"
#include "messages/wire/provider/provider_error.hpp"
#include "messages/wire/provider/repaired_json.hpp"
#include "messages/wire/provider/token_count.hpp"

namespace troupe {

// -- anthropic usage ------------------------------------------------------------------------------

namespace {

void take_count(uint64_t& into, std::string_view slice) {
  if (const auto count = token_count(slice); count > 0)
    into = count;
}

} // namespace

void anthropic_usage::read(std::string_view json, counts& into, std::string_view& iterations) {
  std::string_view input, output, cache_read, cache_write, by_lifetime, details;
  std::string_view minutes, hour, thinking;
  read_members(json, {{"input_tokens", &input},
                      {"output_tokens", &output},
                      {"cache_read_input_tokens", &cache_read},
                      {"cache_creation_input_tokens", &cache_write},
                      {"cache_creation", &by_lifetime},
                      {"output_tokens_details", &details},
                      {"iterations", &iterations}});
  read_members(by_lifetime,
               {{"ephemeral_5m_input_tokens", &minutes}, {"ephemeral_1h_input_tokens", &hour}});
  read_members(details, {{"thinking_tokens", &thinking}});
  take_count(into.input, input);
  take_count(into.output, output);
  take_count(into.cache_read, cache_read);
  take_count(into.thinking, thinking);
  if (cache_write.empty()) {
    uint64_t five_minutes = 0, one_hour = 0;
    take_count(five_minutes, minutes);
    take_count(one_hour, hour);
    if (five_minutes + one_hour > 0)
      into.cache_write = five_minutes + one_hour;
  }
  take_count(into.cache_write, cache_write);
}

void anthropic_usage::update(std::string_view json) {
  std::string_view iterations;
  read(json, message_, iterations);
  counts sum;
  for_each_element(iterations, [&sum](std::string_view each) {
    counts one;
    std::string_view none;
    read(each, one, none);
    sum.input += one.input;
    sum.cache_read += one.cache_read;
    sum.cache_write += one.cache_write;
    sum.output += one.output;
    sum.thinking += one.thinking;
    return true;
  });
  if (sum.input + sum.output + sum.cache_read + sum.cache_write > 0)
    iterations_ = sum;
  const auto counted = iterations_.input + iterations_.output > 0 ? iterations_ : message_;
  value_.input_tokens = counted.input + counted.cache_read + counted.cache_write;
  value_.output_tokens = counted.output;
  value_.total_tokens = value_.input_tokens + value_.output_tokens;
  value_.cached_input_tokens = counted.cache_read;
  value_.cache_write_tokens = counted.cache_write;
  value_.reasoning_tokens = counted.thinking;
}

// -- anthropic error ------------------------------------------------------------------------------

namespace {

constexpr uint16_t unknown_error_status = 200; ///< the other words of the error decide

uint16_t status_of_kind(std::string_view kind) {
  struct row {
    std::string_view kind;
    uint16_t status;
  };
  constexpr std::array rows{
      row{"invalid_request_error", 400}, row{"authentication_error", 401},
      row{"billing_error", 402},         row{"permission_error", 403},
      row{"not_found_error", 404},       row{"request_too_large", 413},
      row{"rate_limit_error", 429},      row{"api_error", 500},
      row{"timeout_error", 504},         row{"overloaded_error", 529},
  };
  for (const auto& each : rows)
    if (each.kind == kind)
      return each.status;
  return unknown_error_status;
}

/// Makes a failure of {"type":"error","error":{"type","message"}}: its kind counts like the status
/// that the same error has as an answer of its own.
failure anthropic_error(std::string_view json) {
  const json_source source{json};
  std::string_view error, kind;
  read_members(source.root(), {{"error", &error}});
  read_members(error, {{"type", &kind}});
  return provider_error(status_of_kind(json_string(kind)), json);
}

} // namespace

// -- anthropic answer -----------------------------------------------------------------------------

anthropic_answer::anthropic_answer(std::string model, std::string id_prefix)
    : model_(std::move(model)), content_(std::move(id_prefix)) {}

failure anthropic_answer::read(const answer_text& text, std::vector<event>& out) {
  if (text.data.starts_with("[DONE]")) { // of servers that only copy the API
    ended_ = begun_;
    return {};
  }
  anthropic_delta delta;
  failure problem;
  if (!ignores_ && !said_ && match_anthropic_delta(text.data, delta) == text.data.size() &&
      content_.known(delta, out, problem))
    return problem;
  anthropic_event what;
  if (text.readable < text.data.size() + json_padding || !read_anthropic_event(text.data, what) ||
      !what.behind.empty())
    return read_repaired(text.data, text.type, out);
  const auto named = what.type.empty() ? to_json(text.type) : std::string{};
  if (what.type.empty())
    what.type = named;
  return take(what, text.data, out);
}

/// Several events in one text, where the ends between them are missing, are read one after the
/// other.
failure anthropic_answer::read_repaired(std::string_view json, std::string_view type,
                                        std::vector<event>& out) {
  const repaired_json copy{json};
  const auto named = to_json(type);
  for (auto left = copy.text(); !left.empty();) {
    anthropic_event what;
    if (!read_anthropic_event(left, what))
      return no_json(left);
    if (what.type.empty())
      what.type = named;
    if (auto problem = take(what, left, out); problem || ended_)
      return problem;
    left = what.behind.substr(std::min(what.behind.find('{'), what.behind.size()));
  }
  return {};
}

size_t anthropic_answer::read_known_events(std::string_view stream, std::vector<event>& out) {
  size_t read = 0;
  anthropic_delta delta;
  failure none;
  while (auto bytes = match_anthropic_delta_event(stream.substr(read), delta)) {
    // Arguments have a bound, which read() has to tell of.
    if (ignores_ || said_ || delta.kind == anthropic_delta_kind::arguments ||
        !content_.known(delta, out, none))
      break;
    read += bytes;
  }
  return read;
}

failure anthropic_answer::take(const anthropic_event& what, std::string_view json,
                               std::vector<event>& out) {
  const auto type = what.type;
  if (type == R"("error")" || (!what.error.empty() && what.content.empty()))
    return anthropic_error(json.substr(0, json.size() - what.behind.size()));
  if (type == R"("message_stop")") {
    ended_ = begun_;
    return {};
  }
  if (ignores_)
    return {};
  if (type == R"("message_start")")
    return start_message(what.message, out);
  if (type == R"("message_delta")") {
    std::string_view reason, details, sequence;
    read_members(
        what.delta,
        {{"stop_reason", &reason}, {"stop_details", &details}, {"stop_sequence", &sequence}});
    begun_ = true;
    usage_.update(what.usage);
    take_stop(reason, details, sequence);
    return {};
  }
  if (type.starts_with(R"("content_block_)"))
    return take_block_event(what, out);
  const auto is_message = type == R"("message")" || type == R"("")";
  return is_message && what.content.starts_with('[') ? take_message(what, out) : failure{};
}

failure anthropic_answer::take_block_event(const anthropic_event& what, std::vector<event>& out) {
  const auto before = out.size();
  const auto index = integer_of(what.index);
  begun_ = true;
  failure problem;
  if (what.type == R"("content_block_start")")
    problem = content_.start(index, what.block, out);
  else if (what.type == R"("content_block_delta")")
    problem = content_.delta(index, what.delta, out);
  else if (what.type == R"("content_block_stop")")
    problem = content_.stop(index, out);
  resumed_ = resumed_ || (finished() && out.size() > before);
  return problem;
}

/// Takes an answer that is no stream.
failure anthropic_answer::take_message(const anthropic_event& what, std::vector<event>& out) {
  whole_ = !begun_;
  begun_ = true;
  usage_.update(what.usage);
  auto problem = content_.list(what.content, out);
  take_stop(what.stop_reason, what.stop_details, what.stop_sequence);
  return problem;
}

/// Some gateways start a message twice. One with another id is another answer: the blocks of both
/// would be mixed, and their seals broken.
failure anthropic_answer::start_message(std::string_view message, std::vector<event>& out) {
  std::string_view id, content, used;
  read_members(message, {{"id", &id}, {"content", &content}, {"usage", &used}});
  auto name = json_string(id);
  if (begun_ && (name.empty() || name == id_ || id_.empty()))
    return {};
  if (said_) {
    ignores_ = true;
    return {};
  }
  if (!content_.empty())
    return {errc::model_answer_invalid, "The model began a second answer inside of the first."};
  id_ = std::move(name);
  usage_.clear();
  usage_.update(used);
  begun_ = true;
  return content_.list(content, out);
}

/// The details of a refusal go to the log: they are no text of the model.
void anthropic_answer::take_stop(std::string_view reason, std::string_view details,
                                 std::string_view sequence) {
  auto name = json_string(reason);
  if (name.empty())
    return;
  said_ = read_finish_word(finish_api::of_anthropic, name);
  paused_ = name == anthropic_pause;
  refused_ = name == anthropic_refusal;
  raw_reason_ = std::move(name);
  stop_sequence_ = json_string(sequence);
  std::string_view explanation;
  read_members(details, {{"explanation", &explanation}});
  if (auto text = excerpt(json_string(explanation)); !text.empty())
    raw_reason_ += fmt::format(" ({})", text);
}

void anthropic_answer::complete(std::vector<event>& out) {
  content_.complete(is_cut(reason()), out);
}

void anthropic_answer::complete_started(std::vector<event>& out) {
  content_.complete_started(out);
}

model_end anthropic_answer::end() const {
  model_end made;
  made.reason = reason();
  made.raw_reason = raw_reason_;
  made.stop_sequence = stop_sequence_;
  made.used = usage_.value();
  if (auto blocks = content_.sealed(); !blocks.empty())
    made.provider_metadata = seal_blocks(anthropic_namespace, model_, blocks);
  made.refused = refused_;
  made.goes_on = paused_ && !content_.any_calls();
  if (made.goes_on && (content_.any_text() || !made.provider_metadata.empty()))
    made.provider_metadata = anthropic_pause_mark(made.provider_metadata, model_);
  return made;
}

/// Decided by the content: tool_calls, if there are calls.
finish_reason anthropic_answer::reason() const noexcept {
  auto said = said_.value_or(content_.any_text() ? finish_reason::stop : finish_reason::other);
  if (content_.any_calls())
    return is_cut(said) ? said : finish_reason::tool_calls;
  return said == finish_reason::tool_calls ? finish_reason::stop : said;
}

} // namespace troupe

#include "messages/wire/anthropic/anthropic_answer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/wire/anthropic/anthropic_error.hpp"
#include "messages/wire/anthropic/anthropic_sealed.hpp"
#include "messages/wire/anthropic/anthropic_stop_reason.hpp"
#include "messages/wire/history/sealed_blocks.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/provider_error.hpp"
#include "messages/wire/provider/repaired_json.hpp"

namespace troupe {

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
    std::string_view reason, details;
    read_members(what.delta, {{"stop_reason", &reason}, {"stop_details", &details}});
    begun_ = true;
    usage_.update(what.usage);
    take_stop(reason, details);
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
  take_stop(what.stop_reason, what.stop_details);
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

/// What a refusal says of itself stands in the log: it is no text of the model.
void anthropic_answer::take_stop(std::string_view reason, std::string_view details) {
  auto name = json_string(reason);
  if (name.empty())
    return;
  said_ = anthropic_stop_reason(name);
  paused_ = name == anthropic_pause;
  refused_ = name == anthropic_refusal;
  raw_reason_ = std::move(name);
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

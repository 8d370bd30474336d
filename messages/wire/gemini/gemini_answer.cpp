#include "messages/wire/gemini/gemini_answer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/utf8.hpp"
#include "messages/wire/gemini/gemini_finish_reason.hpp"
#include "messages/wire/gemini/gemini_names.hpp"
#include "messages/wire/gemini/gemini_usage.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/provider_error.hpp"
#include "messages/wire/provider/sealed_blocks.hpp"

namespace troupe {

namespace {

failure unreadable(std::string_view what, std::string_view json) {
  return {errc::model_answer_invalid, fmt::format("The model sent {}: {}", what, excerpt(json))};
}

/// The members of a call.
struct call_members {
  std::string_view id, name, args, partial, continues;

  /// Returns whether its arguments come as values, in this part or later.
  bool in_pieces() const {
    return is_nothing(args) && (!is_nothing(partial) || continues == "true");
  }
};

call_members members_of(std::string_view call) {
  call_members read;
  read_members(call, {{"id", &read.id},
                      {"name", &read.name},
                      {"args", &read.args},
                      {"partialArgs", &read.partial},
                      {"willContinue", &read.continues}});
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
  const auto first = out.size();
  const auto was_finished = finished();
  auto problem = read_json(text.data, text.readable, out);
  shown_ = shown_ || out.size() > first;
  resumed_ = resumed_ || (was_finished && out.size() > first);
  return problem;
}

failure gemini_answer::read_json(std::string_view json, size_t readable, std::vector<event>& out) {
  gemini_chunk chunk;
  if (readable >= json.size() + json_padding && read_gemini_chunk(json, chunk) &&
      chunk.behind.empty())
    return take(chunk, out);
  std::string copy; // with broken UTF-8 repaired, and the padding
  append_utf8(copy, json);
  const auto length = copy.size();
  copy.append(json_padding, '\0');
  for (std::string_view left{copy.data(), length}; !left.empty();) {
    gemini_chunk next;
    if (!read_gemini_chunk(left, next))
      return unreadable("what is no JSON", left);
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
    raw_reason_ = std::move(name);
    message_ = json_string(chunk.block_message);
  }
  auto name = json_string(chunk.finish_reason);
  if (name.empty() || name == "FINISH_REASON_UNSPECIFIED")
    return;
  said_ = gemini_finish_reason(name);
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

failure gemini_answer::take_call(const gemini_part& part, std::vector<event>& out) {
  const auto call = members_of(part.call);
  const auto has_name = kind_of(call.name) == json_kind::string && call.name.size() > 2;
  if (has_name || !open_) {
    if (!has_name && is_nothing(call.args) && !call.in_pieces() && part.signature.empty())
      return {}; // the end of a call that is not open
    if (auto problem = begin_call(part, out))
      return problem;
  }
  if (!open_)
    return {};
  failure problem;
  for_each_element(call.partial, [&](std::string_view each) {
    std::string text;
    if (!open_->add(each, text))
      problem = unreadable("arguments of a call in an order that cannot be read", each);
    else
      problem = add_arguments(text, out);
    return !problem;
  });
  return problem || call.in_pieces() ? problem : end_call(out);
}

/// Begins a call; one that is whole is done with that.
failure gemini_answer::begin_call(const gemini_part& part, std::vector<event>& out) {
  if (auto problem = end_call(out))
    return problem;
  if (said_ == finish_reason::error)
    return {};
  pieces_.flush(out);
  const auto call = members_of(part.call);
  const auto id = json_string(call.id);
  const auto name = tool_name_of_gemini(json_string(call.name));
  if (call.in_pieces()) {
    parts_.begin_call(part);
    open_.emplace();
  } else {
    parts_.add_call(part);
  }
  const auto arguments = open_ ? std::string_view{} : is_nothing(call.args) ? "{}" : call.args;
  return calls_.add({++call_, id, name, arguments}, out);
}

failure gemini_answer::add_arguments(std::string_view text, std::vector<event>& out) {
  parts_.add_arguments(text);
  return calls_.add({call_, {}, {}, text}, out);
}

failure gemini_answer::end_call(std::vector<event>& out) {
  if (!open_)
    return {};
  std::string rest;
  open_->finish(rest);
  open_.reset();
  auto problem = add_arguments(rest, out);
  parts_.end_call();
  return problem;
}

void gemini_answer::complete(std::vector<event>& out) {
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
    return {errc::model_failed, "The model ended its answer without saying anything."};
  return {};
}

model_end gemini_answer::end() const {
  model_end made;
  made.used = used_;
  made.raw_reason = raw_reason_;
  if (said_ == finish_reason::content_filter && !message_.empty())
    made.raw_reason += ": " + excerpt(message_);
  made.error = fault();
  made.reason = made.error ? finish_reason::error : reason();
  if (!made.error && parts_.are_needed() && !open_)
    made.provider_metadata = sealed(model_, parts_.json());
  return made;
}

} // namespace troupe

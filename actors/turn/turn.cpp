// A turn's rounds and ends. Its calls are in turn_calls.cpp.
#include "actors/turn/turn.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "actors/turn/history.hpp"
#include "messages/chat/skipped_call_texts.hpp"
#include "messages/json.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"
#include "messages/wire/provider/provider.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

namespace {

/// Why a call of an answer that is_cut() was not run.
std::string cut_text(finish_reason why) {
  if (why == finish_reason::length)
    return "The call was not run: the answer was cut at its maximum length.";
  if (why == finish_reason::content_filter)
    return "The call was not run: the provider's content filter cut the answer.";
  return "The call was not run: the provider broke the answer off.";
}

std::string round_limit_text(uint32_t rounds) {
  return fmt::format("The call was not run: this turn may use {} rounds of tool calls.", rounds);
}

} // namespace

turn::turn(turn_request request, const turn_limits& limits, std::vector<chat_message>& history,
           clock now)
    : limits_{limits}, history_{history},
      max_roundtrips_{request.options.max_tool_roundtrips < 0
                          ? limits.max_tool_roundtrips
                          : static_cast<uint32_t>(request.options.max_tool_roundtrips)},
      budget_{limits}, answer_{max_roundtrips_ == 0,
                               request.ephemeral && !request.options.tools.empty(), history},
      request_{std::move(request)}, now_{std::move(now)} {}

void turn::begin(std::vector<planned_call> resumed) {
  began_ = now_();
  calls_ = std::move(resumed);
  resuming_ = !calls_.empty();
  empty_steps_.begin(request_.message_id);
  events_.emplace_back(session_start{request_.message_id});
}

void turn::tools_ready(frozen<tool_set> tools) {
  if (state_ != state::waiting_tools)
    return;
  tools_ = std::move(tools);
  if (!resuming_)
    return next_round();
  state_ = state::calling;
  ++report_.roundtrips;
  for (auto& each : calls_)
    if (each.error == errc::none)
      start(each);
    else
      end_call(each, each.error, {});
  settle();
}

void turn::next_round() {
  empty_steps_.step_shown(request_.message_id);
  answer_.open();
  calls_.clear();
  state_ = state::streaming;
  wants_model_ = true;
  events_.emplace_back(model_response_waiting{round_, request_.options.model});
}

// -- the model's answer --------------------------------------------------------------------------

void turn::on_model(model_output& output) {
  if (state_ != state::streaming)
    return;
  const auto text_bytes = answer_.read(output.events, *tools_);
  budget_.add_pieces(output.events.size(), text_bytes);
  asked_.read(text_bytes, now_);
  if (events_.empty())
    events_ = std::move(output.events);
  else
    std::move(output.events.begin(), output.events.end(), std::back_inserter(events_));
  if (output.over)
    answer_over(output);
  else if (budget_.bytes_spent())
    fail(budget_.spent());
}

void turn::answer_over(model_output& output) {
  asked_.end();
  round_usage_ = output.used;
  budget_.add(output.used);
  report_.requests.push_back(std::move(output.report));
  if (output.error != errc::none)
    return fail({output.error, output.error_text, output.retry_after_ms});
  if (budget_.bytes_spent())
    return fail(budget_.spent());
  const auto is_asked = asks_to_stop_at(request_.options.parameters, output.stop_sequence);
  stop_sequence_ = is_asked ? std::move(output.stop_sequence) : std::string{};
  commit_answer(std::move(output.provider_metadata), output.goes_on);
  changed_ = std::min(changed_, note_refusal(history_, output.refused));
  if (output.goes_on && calls_.empty() && budget_.takes_pause())
    return budget_.spent() ? fail(budget_.spent()) : settle(); // the same request gives the rest
  if (calls_.empty())
    return finish(output.reason == finish_reason::tool_calls ? finish_reason::stop : output.reason);
  state_ = state::calling;
  const auto cut = is_cut(output.reason);
  if (!cut && !any(call_stage::planned) && (any(call_stage::offered) || max_roundtrips_ == 0)) {
    commit_results();
    return finish(finish_reason::tool_calls);
  }
  if (auto spent = budget_.spent())
    return fail(spent);
  if (!cut && report_.roundtrips < max_roundtrips_)
    return plan_calls();
  refuse_calls(cut ? errc::tool_arguments_invalid : errc::tool_cancelled,
               cut ? cut_text(output.reason) : round_limit_text(max_roundtrips_));
  // A complete call that the client runs stays offered: the client has been shown it.
  finish(cut && !any(call_stage::offered) ? output.reason : finish_reason::tool_calls);
}

/// Puts the answer into the history, once it is complete or broken off. An empty answer is no
/// message, because providers refuse it; but one that continues may have blocks of the provider
/// only.
void turn::commit_answer(std::string metadata, bool goes_on) {
  calls_ = answer_.take_calls();
  std::ranges::move(answer_.take_repaired(), std::back_inserter(report_.repaired));
  auto message = answer_.take_message();
  for (const auto& planned : calls_)
    if (!planned.is_none())
      message.tool_calls.push_back(planned.call);
  replace_lone_halves(metadata); // it goes back to the provider, which may be strict
  message.provider_metadata = std::move(metadata);
  message.id = request_.message_id;
  const auto is_silent = says_nothing(message) && (!goes_on || message.provider_metadata.empty());
  empty_steps_.answered(answer_.layout(), message, is_silent);
  if (!is_silent)
    history_.push_back(std::move(message));
}

bool turn::take_model_request() {
  if (!std::exchange(wants_model_, false))
    return false;
  asked_.begin(now_());
  return true;
}

// -- ends ----------------------------------------------------------------------------------------

void turn::finish(finish_reason reason) {
  state_ = state::over;
  empty_steps_.end_step(request_.message_id);
  if (!calls_.empty() && !any(call_stage::offered) && !any(call_stage::asking))
    empty_steps_.show_data(request_.message_id, "data-limit",
                           fmt::format(R"({{"finishReason":"{}","roundtrips":{}}})",
                                       to_string(reason), report_.roundtrips));
  report_.reason = reason;
  events_.emplace_back(model_generation_stop{reason, round_usage_});
  events_.emplace_back(
      session_end{reason, budget_.total(), report_.roundtrips, std::move(stop_sequence_)});
}

/// Leaves no part open and no call without a result, in the events and in the history.
void turn::close_open(errc error, const std::string& text) {
  auto streaming = state_ == state::streaming;
  if (asked_.is_open()) { // it was made, and is paid for
    const auto why_open = error == errc::tool_cancelled ? errc::aborted : error;
    report_.requests.push_back(asked_.report(request_.options.model, why_open, history_, now_()));
    budget_.add(report_.requests.back().used);
    asked_.end();
  }
  if (streaming) {
    answer_.close(error, text, events_);
    commit_answer({});
  }
  for (auto& planned : calls_)
    if (streaming) {
      planned.stage = call_stage::ended;
      if (planned.error == errc::none) { // else its error has been shown
        planned.error = error;
        planned.result = text;
      }
    } else if (planned.stage != call_stage::ended)
      end_call(planned, error, text);
  commit_results();
  to_start_.clear();
  wants_model_ = false;
}

void turn::abort(const std::string& reason) {
  if (over())
    return;
  const auto ends_on_calls = state_ == state::streaming ? answer_.has_calls() : !calls_.empty();
  close_open(errc::tool_cancelled, std::string{aborted_call_text});
  if (!ends_on_calls)
    empty_steps_.forget_step();
  empty_steps_.end_step(request_.message_id);
  if (ends_on_calls)
    empty_steps_.show_data(request_.message_id, "data-abort",
                           fmt::format(R"({{"reason":{}}})", to_json(reason)));
  state_ = state::over;
  report_.error = errc::aborted;
  report_.abort_reason = reason;
  events_.emplace_back(abort_event{reason});
  events_.emplace_back(session_end{finish_reason::other, budget_.total(), report_.roundtrips});
}

void turn::fail(const failure& why) {
  if (over())
    return;
  if (state_ == state::waiting_tools || resuming_)
    empty_steps_.step_shown(request_.message_id); // with the error
  close_open(why.code, why.text());
  empty_steps_.end_step(request_.message_id);
  state_ = state::over;
  report_.error = why.code;
  error_ = why;
  report_.reason = finish_reason::error;
  events_.emplace_back(session_error::of(why));
}

size_t turn::take_changed() {
  return std::min(std::exchange(changed_, SIZE_MAX), empty_steps_.take_changed());
}

turn_report turn::take_report() {
  report_.session_id = request_.session_id;
  report_.turn_id = request_.turn_id;
  report_.request_id = request_.options.request_id;
  report_.model = request_.options.model;
  report_.used = budget_.total();
  report_.total_us = std::chrono::duration_cast<std::chrono::microseconds>(now_() - began_).count();
  return std::move(report_);
}

} // namespace troupe

#include "actors/turn.hpp"

#include <algorithm>
#include <utility>

#include "actors/tool_output.hpp"
#include "messages/json.hpp"
#include "messages/wire/json_check.hpp"

namespace troupe {

namespace {

constexpr auto aborted_text = "The turn was aborted before the tool had answered.";
constexpr auto truncated_text = "The call was not run: the answer was cut at its maximum length.";

} // namespace

turn::turn(turn_request request, turn_limits limits, std::vector<chat_message>& history)
    : request_(std::move(request)), limits_(limits), history_(history),
      max_roundtrips_(request_.options.max_tool_roundtrips < 0
                          ? limits.max_tool_roundtrips
                          : static_cast<uint32_t>(request_.options.max_tool_roundtrips)) {}

void turn::begin() {
  events_.emplace_back(session_start{request_.message_id});
}

void turn::tools_ready(frozen<tool_set> tools) {
  if (state_ != state::waiting_tools)
    return;
  tools_ = std::move(tools);
  next_round();
}

void turn::next_round() {
  answer_ = {};
  answer_.who = role::assistant;
  calls_.clear();
  state_ = state::streaming;
  wants_model_ = true;
  events_.emplace_back(model_response_waiting{round_, request_.options.model});
}

// -- the model's answer --------------------------------------------------------------------------

struct turn::reader {
  turn& self;

  void operator()(text_delta& e) { self.answer_.text += e.text; }
  void operator()(reasoning_delta& e) { self.answer_.reasoning += e.text; }

  void operator()(tool_args_start& e) {
    e.client_side = self.client_runs_tools();
    self.open_.push_back(e);
  }

  void operator()(tool_args_complete& e) {
    std::erase_if(self.open_,
                  [&](const auto& each) { return each.tool_call_id == e.tool_call_id; });
    e.client_side = self.client_runs_tools();
    auto tool = self.tools_->find(e.tool_name);
    tool_call call{e.tool_call_id, e.tool_name, e.arguments.text};
    if (!is_json_object(call.arguments)) {
      e.error = errc::tool_arguments_invalid;
      e.error_text = "The arguments of " + e.tool_name + " are not a JSON object.";
      e.arguments.text = to_json(call.arguments);
      call.arguments = "{}";
    } else if (tool == nullptr && !e.client_side) {
      e.error = errc::tool_unknown;
      e.error_text = "There is no tool called " + e.tool_name + ".";
    }
    self.calls_.push_back({std::move(call), tool, e.error, e.error_text});
  }

  template <class Other>
  void operator()(Other&) {}
};

void turn::on_model(model_output& output) {
  if (state_ != state::streaming || output.round != round_)
    return;
  for (auto& each : output.events)
    std::visit(reader{*this}, each);
  if (events_.empty())
    events_ = std::move(output.events);
  else
    std::move(output.events.begin(), output.events.end(), std::back_inserter(events_));
  if (output.over)
    answer_over(output);
}

void turn::answer_over(const model_output& output) {
  round_usage_ = output.used;
  total_usage_ += output.used;
  if (output.error != errc::none)
    return fail({output.error, output.error_text});
  commit_answer();
  if (calls_.empty())
    return finish(output.reason == finish_reason::tool_calls ? finish_reason::stop : output.reason);
  if (client_runs_tools())
    return finish(finish_reason::tool_calls);
  if (output.reason == finish_reason::length) {
    refuse_calls(errc::tool_arguments_invalid, truncated_text);
    return finish(finish_reason::length);
  }
  if (roundtrips_ >= max_roundtrips_) {
    refuse_calls(errc::tool_cancelled,
                 fmt::format("The call was not run: this turn may use {} rounds of tool calls.",
                             max_roundtrips_));
    return finish(finish_reason::tool_calls);
  }
  start_calls();
}

// -- tool calls ----------------------------------------------------------------------------------

void turn::start_calls() {
  state_ = state::calling;
  ++roundtrips_;
  for (auto& planned : calls_) {
    announce(planned);
    if (planned.error != errc::none) {
      end_call(planned, planned.error, planned.result, {});
      continue;
    }
    planned.running = true;
    to_start_.push_back({planned.call.id, planned.tool->server, planned.tool->server_tool,
                         planned.call.arguments, request_.session_id,
                         request_.options.client_requests});
  }
  if (running_calls().empty())
    commit_results();
}

void turn::announce(const planned_call& planned) {
  auto server = planned.tool ? planned.tool->server : std::string{};
  events_.emplace_back(mcp_tool_start{planned.call.id, planned.call.name, server});
}

std::vector<std::string> turn::running_calls() const {
  std::vector<std::string> ids;
  for (const auto& planned : calls_)
    if (planned.running)
      ids.push_back(planned.call.id);
  return ids;
}

void turn::on_tool_progress(const tool_progress& report) {
  auto running = [&](const auto& p) { return p.running && p.call.id == report.tool_call_id; };
  if (state_ == state::calling && std::any_of(calls_.begin(), calls_.end(), running))
    events_.emplace_back(
        mcp_tool_progress{report.tool_call_id, report.progress, report.total, report.message});
}

void turn::on_client_ask(const client_ask& ask) {
  if (state_ == state::calling) // else it is about a call that was taken back
    events_.emplace_back(
        mcp_client_request{ask.request_id, ask.server, ask.method, ask.params, ask.timeout_ms});
}

void turn::on_tool_outcome(const tool_outcome& outcome) {
  auto running = [&](const auto& p) { return p.running && p.call.id == outcome.tool_call_id; };
  auto found = std::find_if(calls_.begin(), calls_.end(), running);
  if (state_ != state::calling || found == calls_.end())
    return;
  end_call(*found, outcome.error, outcome.text, outcome.result);
  if (running_calls().empty())
    commit_results();
}

void turn::end_call(planned_call& planned, errc error, std::string text, const raw_json& result) {
  planned.running = false;
  planned.error = error;
  planned.result = bounded_output(std::move(text), limits_.max_tool_text_bytes);
  auto server = planned.tool ? planned.tool->server : std::string{};
  if (error == errc::none)
    events_.emplace_back(
        mcp_tool_success{planned.call.id, planned.call.name, server, result, planned.result});
  else
    events_.emplace_back(
        mcp_tool_error{planned.call.id, planned.call.name, server, error, planned.result});
}

void turn::refuse_calls(errc error, const std::string& text) {
  for (auto& planned : calls_) {
    announce(planned);
    end_call(planned, error, text, {});
  }
  state_ = state::calling;
}

/// The answer goes into the history when it is complete, so that a broken one can be cut at its
/// end.
void turn::commit_answer() {
  for (const auto& planned : calls_)
    answer_.tool_calls.push_back(planned.call);
  if (!answer_.text.empty() || !answer_.tool_calls.empty())
    history_.push_back(std::move(answer_));
  answer_ = {};
}

void turn::commit_results() {
  for (auto& planned : calls_) {
    chat_message result;
    result.who = role::tool;
    result.tool_call_id = planned.call.id;
    result.text = planned.result;
    history_.push_back(std::move(result));
  }
  ++round_;
  next_round();
}

// -- ends ----------------------------------------------------------------------------------------

void turn::finish(finish_reason reason) {
  if (state_ == state::calling) // refused calls: their results belong to the history
    for (const auto& planned : calls_)
      history_.push_back({role::tool, planned.result, {}, {}, planned.call.id});
  state_ = state::over;
  events_.emplace_back(model_generation_stop{reason, round_usage_});
  events_.emplace_back(session_end{reason, total_usage_, roundtrips_});
}

/// Leaves no part open and no call without a result, in the events and in the history.
void turn::close_open(errc error, const std::string& text) {
  for (const auto& each : open_)
    events_.emplace_back(tool_args_complete{
        each.tool_call_id, each.tool_name, {"\"\""}, each.client_side, error, text});
  open_.clear();
  if (state_ == state::streaming)
    commit_answer();
  for (auto& planned : calls_) {
    if (planned.running)
      end_call(planned, error, text, {});
    else if (state_ == state::streaming)
      planned.result = text;
    if (state_ == state::streaming || state_ == state::calling)
      history_.push_back({role::tool, planned.result, {}, {}, planned.call.id});
  }
  to_start_.clear();
  wants_model_ = false;
}

void turn::abort(const std::string& reason) {
  if (over())
    return;
  close_open(errc::tool_cancelled, aborted_text);
  state_ = state::over;
  events_.emplace_back(abort_event{reason});
  events_.emplace_back(session_end{finish_reason::other, total_usage_, roundtrips_});
}

void turn::fail(const failure& why) {
  if (over())
    return;
  close_open(why.code, why.text());
  state_ = state::over;
  events_.emplace_back(session_error{why.code, why.text(), retryable(why.code)});
}

} // namespace troupe

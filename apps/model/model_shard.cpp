#include "apps/model/model_shard.hpp"

#include <utility>

#include <fmt/format.h>

#include "apps/model/completion.hpp"

namespace troupe::scripted {

namespace {

constexpr size_t longest_at_once = 16 * 1024;

const headers answer_head{{"content-type", "application/json"}};

/// Returns whether all of it can be written now, in one piece.
bool is_instant(const answer& what) {
  size_t size = what.text.size() + what.reasoning.size();
  for (const auto& call : what.calls)
    size += call.arguments.size();
  return what.end == ending::whole && what.tokens == 0 && what.delay.count() == 0 &&
         what.interval.count() == 0 && size <= longest_at_once;
}

model_error unknown_model(std::string_view name) {
  std::string names;
  for (const auto& row : all_scripts())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  return {404, fmt::format("The model '{}' does not exist. There are: {}", name, names),
          "invalid_request_error", "model_not_found"};
}

} // namespace

model_shard::model_shard(loop& home, model_counters& counters, size_t max_running)
    : home_{home}, counters_{counters}, max_running_{max_running} {}

void model_shard::complete(server_request&& request, std::shared_ptr<http_response> to) {
  const auto seq = counters_.requests.fetch_add(1) + 1;
  chat_call call;
  const auto bad = reader_.read(request.body, call);
  const auto script = bad ? chosen_script{} : find_script(call.model);
  if (bad)
    refuse({400, bad.text(), "invalid_request_error", ""}, *to);
  else if (script.row == nullptr)
    refuse(unknown_model(call.model), *to);
  else
    run(script, call, std::move(to));
  log_.add({seq, std::move(call.model), std::move(request.body), reader_.is_json()});
}

void model_shard::refuse(const model_error& why, http_response& to) {
  ++counters_.completed;
  to.send(why.status, answer_head, error_body(why));
}

void model_shard::run(const chosen_script& script, const chat_call& call,
                      std::shared_ptr<http_response> to) {
  if (answer_at_once(script, call, *to))
    return;
  const auto talk = script.row->reads_talk ? reader_.talk() : conversation{};
  auto what = script.row->make({talk, script.tokens_per_second, script.tokens});
  if (what.end == ending::verbatim) {
    ++counters_.completed;
    to->send(what.status, what.fields, std::move(what.body));
  } else if (is_instant(what)) {
    send_bytes(call, call.stream ? all_frames(std::move(what), call) : completion_body(what, call),
               *to);
  } else {
    start(std::move(what), call, std::move(to));
  }
}

/// Answers with the bytes of an earlier answer. Returns false if the script's answers may differ.
bool model_shard::answer_at_once(const chosen_script& script, const chat_call& call,
                                 http_response& to) {
  if (script.row->reads_talk || script.row->name != call.model)
    return false;
  auto found = prebuilt_.find(call.model);
  if (found == prebuilt_.end()) {
    const auto what = script.row->make({{}, script.tokens_per_second, script.tokens});
    if (!is_instant(what))
      return false;
    const auto frames = [&](bool usage) { return all_frames(what, {call.model, true, usage}); };
    std::array<std::string, 3> forms{frames(false), frames(true), completion_body(what, call)};
    found = prebuilt_.emplace(call.model, std::move(forms)).first;
  }
  const auto which = !call.stream         ? form::plain
                     : call.include_usage ? form::stream_with_usage
                                          : form::stream;
  send_bytes(call, found->second[static_cast<size_t>(which)], to);
  return true;
}

void model_shard::send_bytes(const chat_call& call, const std::string& bytes, http_response& to) {
  ++counters_.completed;
  if (!call.stream)
    return to.send(200, answer_head, bytes);
  to.start(200, stream_head());
  to.write(bytes);
  to.finish();
}

void model_shard::start(answer what, const chat_call& call, std::shared_ptr<http_response> to) {
  ++counters_.open;
  auto fresh = std::make_shared<running_answer>(
      home_, std::move(to), std::move(what), call,
      [this](running_answer& which, running_answer::outcome how) { over(which, how); });
  open_.emplace(fresh.get(), fresh);
  waiting_.push_back(fresh.get());
  fresh->wait();
  begin_waiting();
}

void model_shard::over(running_answer& which, running_answer::outcome how) {
  --counters_.open;
  ++(how == running_answer::outcome::completed ? counters_.completed : counters_.aborted);
  open_.erase(&which);
  std::erase(waiting_, &which);
  begin_waiting();
}

/// Begins the answers that have waited longest, as many as may run. An answer that ends at once
/// calls this function again, from within.
void model_shard::begin_waiting() {
  while (!waiting_.empty() &&
         (max_running_ == 0 || open_.size() - waiting_.size() < max_running_)) {
    const auto next = open_.at(waiting_.front());
    waiting_.pop_front();
    next->begin();
  }
}

void model_shard::drop_answers() {
  counters_.aborted += open_.size();
  counters_.open -= open_.size();
  waiting_.clear();
  open_.clear();
}

} // namespace troupe::scripted

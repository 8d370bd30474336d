#include "apps/model/model_shard.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/json_object.hpp"

namespace troupe::scripted {

// -- model request log ----------------------------------------------------------------------------

void model_request_log::add(logged_request what) {
  if (ring_.size() < capacity) {
    ring_.push_back(std::move(what));
    return;
  }
  ring_[next_] = std::move(what);
  next_ = (next_ + 1) % capacity;
}

void model_request_log::clear() {
  ring_.clear();
  next_ = 0;
}

void model_request_log::copy_to(std::vector<logged_request>& out) const {
  out.insert(out.end(), ring_.begin(), ring_.end());
}

std::string to_json_array(std::vector<logged_request> requests) {
  std::sort(requests.begin(), requests.end(),
            [](const auto& a, const auto& b) { return a.seq < b.seq; });
  if (requests.size() > model_request_log::capacity)
    requests.erase(requests.begin(), requests.end() - model_request_log::capacity);
  json_buffer out;
  json_array{out}.each(requests, [](json_buffer& list, const logged_request& each) {
    const auto body = each.is_json ? each.body : to_json(each.body);
    json_object{list}
        .member("seq", each.seq)
        .member("model", each.model)
        .raw("body", body)
        .member("path", each.path);
  });
  return std::string{view(out)};
}

// -- model shard ----------------------------------------------------------------------------------

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

refusal unknown_model(std::string_view name) {
  std::string names;
  for (const auto& row : all_scripts())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  return {refusal_kind::unknown_model,
          fmt::format("The model '{}' does not exist. There are: {}", name, names)};
}

} // namespace

model_shard::model_shard(loop& home, model_counters& counters, size_t max_running)
    : home_{home}, counters_{counters}, max_running_{max_running} {}

void model_shard::complete(server_request&& request, const request_address& at,
                           std::shared_ptr<http_response> to) {
  const auto seq = counters_.requests.fetch_add(1) + 1;
  chat_call call;
  const auto bad = read(request, at, call);
  const auto script = bad ? chosen_script{} : find_script(call.model);
  if (bad)
    refuse(*at.spoken, {refusal_kind::invalid, bad.text()}, *to);
  else if (script.row == nullptr)
    refuse(*at.spoken, unknown_model(call.model), *to);
  else
    run({*at.spoken, script, call}, std::move(to));
  log_.add({seq, std::move(call.model), std::move(request.path), std::move(request.body),
            reader_.is_json()});
}

failure model_shard::read(server_request& request, const request_address& at, chat_call& out) {
  auto bad = reader_.read(request.body, *at.spoken, out);
  if (!at.model.empty()) {
    out.model = at.model;
    out.stream = at.stream;
    out.as_list = at.as_list;
  }
  const auto needed = at.spoken->needs_header;
  if (!bad && !needed.empty() && find_header(request.fields, needed).empty())
    return {errc::request_invalid, fmt::format("{}: header is required", needed)};
  return bad;
}

void model_shard::refuse(const dialect& spoken, const refusal& why, http_response& to) {
  ++counters_.completed;
  auto made = spoken.refuse(why);
  to.send(made.status, made.fields, std::move(made.body));
}

void model_shard::run(const readable_request& asked, std::shared_ptr<http_response> to) {
  if (answer_at_once(asked, *to))
    return;
  const auto& row = *asked.script.row;
  const auto talk = row.reads_talk ? reader_.talk() : conversation{};
  if (row.seals && talk.sealed_rounds < talk.rounds && !asked.spoken.seal_missing.empty())
    return refuse(asked.spoken, {refusal_kind::invalid, std::string{asked.spoken.seal_missing}},
                  *to);
  auto what = row.make({talk, asked.script.tokens_per_second, asked.script.tokens});
  if (what.end == ending::verbatim) {
    ++counters_.completed;
    to->send(what.status, what.fields, std::move(what.body));
  } else if (what.end == ending::refused || (what.end == ending::failed && !asked.call.stream)) {
    refuse(asked.spoken, what.refused, *to);
  } else if (is_instant(what)) {
    send_bytes(asked,
               asked.call.stream ? all_frames(std::move(what), asked.call, asked.spoken)
                                 : asked.spoken.whole(what, asked.call),
               *to);
  } else {
    start(std::move(what), asked, std::move(to));
  }
}

/// Answers with the bytes of an earlier answer. Returns false if the script's answers may differ.
bool model_shard::answer_at_once(const readable_request& asked, http_response& to) {
  const auto& [spoken, script, call] = asked;
  if (script.row->reads_talk || script.row->name != call.model || call.as_list)
    return false;
  auto& forms_of = prebuilt_[&spoken];
  auto found = forms_of.find(call.model);
  if (found == forms_of.end()) {
    const auto what = script.row->make({{}, script.tokens_per_second, script.tokens});
    if (!is_instant(what))
      return false;
    const auto frames = [&](bool usage) {
      return all_frames(what, {asked.call.model, true, usage}, asked.spoken);
    };
    std::array<std::string, 3> forms{frames(false), frames(true), spoken.whole(what, call)};
    found = forms_of.emplace(call.model, std::move(forms)).first;
  }
  const auto which = !call.stream         ? form::plain
                     : call.include_usage ? form::stream_with_usage
                                          : form::stream;
  send_bytes(asked, found->second[static_cast<size_t>(which)], to);
  return true;
}

void model_shard::send_bytes(const readable_request& asked, const std::string& bytes,
                             http_response& to) {
  ++counters_.completed;
  if (!asked.call.stream)
    return to.send(200, answer_head, bytes);
  to.start(200, stream_head(stream_type_of(asked.spoken, asked.call)));
  to.write(bytes);
  to.finish();
}

void model_shard::start(answer what, const readable_request& asked,
                        std::shared_ptr<http_response> to) {
  ++counters_.open;
  auto fresh = std::make_shared<running_answer>(
      home_, std::move(to), answer_to_run{std::move(what), asked.call, asked.spoken},
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

// The attempts of a model_stream: its start, its failures, and its deadlines.
#include <algorithm>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "actors/model/model_stream_state.hpp"

#include "actors/registry.hpp"
#include "messages/wire/providers.hpp"

namespace troupe {

namespace {

double any_chance() {
  thread_local std::minstd_rand random{std::random_device{}()};
  return std::uniform_real_distribution<double>{0, 1}(random);
}

/// Says which limit of the model's passed.
failure overdue(errc code, const model_config& model) {
  const auto& limits = model.timeouts;
  auto say = [&](const char* what, std::chrono::milliseconds limit) {
    return failure{code, fmt::format(fmt::runtime(what), model.name, limit.count())};
  };
  switch (code) {
  case errc::model_first_token_timeout:
    return say("The model '{}' did not begin to answer within {} ms.", limits.first_token);
  case errc::model_idle_timeout:
    return say("The model '{}' sent nothing for {} ms in mid-answer.", limits.idle);
  default:
    return say("The model '{}' did not finish its answer within {} ms.", limits.total);
  }
}

} // namespace

// -- attempts begin -------------------------------------------------------------------------------

void model_stream_state::start() {
  asked_for = spec.model;
  started = now();
  deadlines = {asked_for->timeouts, started};
  use_model();
}

void model_stream_state::use_model() {
  attempts.use(*spec.model);
  if (spec.model->max_concurrent == 0 || !ask_for_slot())
    begin_attempt();
}

bool model_stream_state::ask_for_slot() {
  auto limiter = whereis<model_limiter_actor>(self->system(), model_limiter_name);
  if (!limiter)
    return false;
  self->set_down_handler([this](caf::down_msg&) { on_limiter_lost(); });
  watched.add(limiter);
  queued = true;
  queued_at = now();
  const auto& model = *spec.model;
  self->send(limiter, acquire_slot{model.name, model.max_concurrent, model.max_queued});
  wake_in_time();
  return true;
}

void model_stream_state::on_slot(const slot_answer& answer) {
  if (!queued || answer.model != spec.model->name)
    return;
  leave_queue();
  if (answer.granted)
    begin_attempt();
  else
    fail({errc::model_busy, ""});
}

void model_stream_state::on_limiter_lost() {
  if (!queued)
    return;
  leave_queue();
  begin_attempt();
}

void model_stream_state::leave_queue() {
  queued = false;
  report.queued_us += since(queued_at);
}

void model_stream_state::leave_slot() {
  if (spec.model->max_concurrent > 0)
    if (auto limiter = whereis<model_limiter_actor>(self->system(), model_limiter_name))
      self->send(limiter, release_slot{spec.model->name});
}

void model_stream_state::begin_attempt() {
  attempts.begin();
  retry_at = model_deadlines::never;
  status = 0;
  retry_after.clear();
  should_retry = -1;
  auto request = attempts.is_last() ? std::move(spec.request) : spec.request;
  auto number = attempts.total();
  intake = std::make_shared<model_stream_intake>(
      self->clock(), caf::actor_cast<model_stream_actor>(self), number,
      find_provider(spec.model->provider)->make_decoder(*spec.model, spec.id_prefix));
  exchange = spec.http->open(std::move(request), number,
                             [to = intake](http_part&& part) { to->arrive(std::move(part)); });
  if (paused)
    exchange->pause();
  deadlines.begin(spec.model->timeouts, now());
  wake_in_time();
}

// -- an attempt failed ----------------------------------------------------------------------------

void model_stream_state::fail(failure why) {
  using step = attempt_verdict::step;
  exchange.reset();
  intake.reset();
  deadlines.rest();
  auto chance = spec.chance ? spec.chance() : any_chance();
  auto verdict = attempts.failed({why.code, status, retry_after, should_retry},
                                 deadlines.left(now()), chance, std::chrono::system_clock::now());
  if (verdict.next == step::again)
    try_again(verdict.delay);
  else if (verdict.next != step::fall_back || !fall_back()) {
    why.retry_after_ms = milliseconds_until_retry(retry_after);
    give_up(std::move(why));
  }
}

void model_stream_state::try_again(std::chrono::milliseconds delay) {
  if (delay == delay.zero())
    return begin_attempt();
  retry_at = now() + delay;
  wake_in_time();
}

bool model_stream_state::fall_back() {
  if (spec.fallbacks.empty())
    return false;
  leave_slot();
  sealed_reasoning_left_out = learned = false;
  taught.clear();
  spec.model = std::move(spec.fallbacks.front());
  spec.fallbacks.erase(spec.fallbacks.begin());
  self->send(reader, fallback_due{spec.number, spec.model});
  wake_in_time();
  return true;
}

/// A request that is refused may be taken in another form, which is tried once: without a parameter
/// that the refusal names, with what it teaches of the server, or without seals, which hold for an
/// account, an endpoint and a model, and these may have changed behind our back. Returns whether it
/// is waited for.
bool model_stream_state::ask_otherwise(const model_end& end) {
  const auto& why = end.error;
  const auto& refused_name = end.refused_parameter;
  const auto learn = find_provider(spec.model->provider)->learn;
  if (!refused_name.empty() && std::ranges::find(taught, refused_name) == taught.end() &&
      spec.model->lessons.refuse(refused_name))
    taught.push_back(refused_name);
  else if (!learned && learn != nullptr && learn(*spec.model, why.message))
    learned = true;
  else if (std::exchange(sealed_reasoning_left_out, true))
    return false;
  refused = why;
  exchange.reset();
  intake.reset();
  deadlines.rest();
  self->send(reader, fallback_due{spec.number, spec.model, sealed_reasoning_left_out});
  wake_in_time();
  return true;
}

void model_stream_state::on_fallback(fallback_request& made) {
  const auto again = static_cast<bool>(refused);
  auto why = std::exchange(refused, {});
  if (made.request.url.empty())
    return fail(std::move(why));
  spec.request = std::move(made.request);
  if (again)
    begin_attempt();
  else
    use_model();
}

void model_stream_state::give_up(failure why) {
  model_end end;
  end.over = true;
  end.reason = finish_reason::error;
  end.error = std::move(why);
  tell(end, {});
}

// -- time passes ----------------------------------------------------------------------------------

void model_stream_state::on_tick() {
  if (!alarm.rings(now()))
    return;
  look_at_reads();
  if (retry_at <= now())
    begin_attempt();
  else if (deadlines.is_over(now()))
    on_end_grace();
  else if (auto code = deadlines.passed(now()); code != errc::none)
    on_deadline(code);
  else
    wake_in_time();
}

void model_stream_state::on_deadline(errc code) {
  auto is_total = code == errc::model_timeout;
  auto why = overdue(code, is_total ? *asked_for : *spec.model);
  if (!exchange)
    return give_up(std::move(why));
  std::vector<event> events;
  auto end = finish({errc::deadline_exceeded, why.message}, why, events);
  take(end, events);
}

void model_stream_state::on_end_grace() {
  std::vector<event> events;
  auto end = finish({}, {}, events);
  take(end, events);
}

/// Sees to it that one wake-up is under way that is early enough.
void model_stream_state::wake_in_time() {
  auto at = std::min(deadlines.next(now()), retry_at);
  if (alarm.wants(at))
    self->scheduled_send(self, at, atom::tick_v);
}

} // namespace troupe

#include "transport/mcp/mcp_post.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/wire/mcp/jsonrpc.hpp"
#include "messages/wire/mcp/jsonrpc_peek.hpp"

namespace troupe {

// -- mcp session check ----------------------------------------------------------------------------

namespace {

/// No other request gets so far. Numbers of JavaScript hold it.
constexpr int64_t ping_id = 9'000'000'000'000'000;

constexpr size_t answer_bytes = 256 * 1024;

} // namespace

mcp_session_check::mcp_session_check(mcp_http_session& session, mcp_refusal doubted, verdict tell)
    : session_{session}, doubted_{std::move(doubted)}, tell_{std::move(tell)},
      answer_{answer_bytes}, patience_{session.home, [this] { end(false); }} {}

void mcp_session_check::start() {
  auto request = session_.request("POST", "application/json, text/event-stream");
  request.fields.push_back({"Content-Type", "application/json"});
  request.body = jsonrpc::make_request(ping_id, "ping", "");
  patience_.start(session_.limits.check);
  call_ = session_.open(std::move(request), [this](http_part&& part) { on_part(part); });
}

void mcp_session_check::on_part(const http_part& part) {
  const auto messages = answer_.take(part);
  if (!messages.empty()) // a stream may stay open after its answer
    return judge(read_refusal(answer_.status(), messages.front(), ping_id));
  if (part.error != errc::none || answer_.overflowed())
    return end(false);
  if (part.last)
    judge(read_refusal(answer_.status(), answer_.body(), ping_id));
}

void mcp_session_check::judge(const mcp_refusal& got) {
  const bool refused = got.status >= 300 || got.is_error;
  end(refused && (shows_lost_session(got) || got.same_as(doubted_)));
}

void mcp_session_check::end(bool lost) {
  patience_.stop();
  if (const auto tell = std::exchange(tell_, nullptr))
    tell(lost);
}

// -- mcp post -------------------------------------------------------------------------------------

namespace {

/// How much longer than its actor the transport waits for a request: the actor's timeout comes
/// first. Progress may come on another stream, which only the actor sees, so the bound is the total
/// timeout.
constexpr auto patience = std::chrono::seconds{5};

/// Returns whether no connection was opened, so that the server has seen nothing of the request.
bool has_not_arrived(errc transport_error) {
  return transport_error == errc::connect_failed || transport_error == errc::connect_timeout;
}

/// Returns whether it answers a request of the server, which waits for it.
bool is_reply(const mcp_outbound& message) {
  return message.method.empty();
}

errc error_of(errc transport_error) {
  return has_not_arrived(transport_error) ? errc::server_unavailable : errc::server_lost;
}

} // namespace

mcp_post::mcp_post(mcp_http_session& session, mcp_outbound message, mcp_post_listener& listener)
    : session_{session}, message_{std::move(message)}, listener_{listener},
      answer_{session.limits.answer_bytes} {}

void mcp_post::start() {
  auto request = session_.request("POST", "application/json, text/event-stream");
  request.fields.push_back({"Content-Type", "application/json"});
  if (message_.method == "initialize" || is_reply(message_)) // may have to be sent again
    request.body = message_.json;
  else
    request.body = std::move(message_.json);
  request.deadlines.first_byte = request.deadlines.idle = longest_silence();
  request.once = message_.method == "tools/call"; // a tool may not be repeatable
  settled_ = !expects_response();
  call_ = session_.open(std::move(request), [this](http_part&& part) { on_part(std::move(part)); });
}

bool mcp_post::expects_response() const noexcept {
  return message_.request_id != 0 && !session_.legacy;
}

bool mcp_post::is_awaited() const noexcept {
  return message_.request_id != 0 && !over_ && (session_.legacy || !settled_);
}

std::chrono::milliseconds mcp_post::longest_silence() const {
  const auto limit = session_.config.total_timeout;
  return limit > limit.zero() ? limit + patience : limit.zero();
}

void mcp_post::settle() {
  if (std::exchange(settled_, true) || over_)
    return;
  if (!call_) // it waits for a resumption
    return end({});
  wait_for(session_.limits.linger);
}

void mcp_post::on_part(http_part&& part) {
  if (over_)
    return;
  if (message_.method == "initialize" && part.status >= 200 && part.status < 300 &&
      resumed_from_.empty())
    session_.join(part.session);
  auto messages = answer_.take(part);
  call_->pace(part, messages.size());
  look_at(messages);
  listener_.post_received(*this, std::move(messages));
  if (answer_.accepted() && !expects_response())
    accept(part.last);
  if (answer_.overflowed())
    end({errc::server_protocol, fmt::format("MCP server '{}' answered with more than {} bytes",
                                            session_.config.name, session_.limits.answer_bytes)});
  else if (part.last)
    on_last(part);
}

/// The message was accepted and needs no response; an open answer gets some time to end by itself.
void mcp_post::accept(bool ended) {
  if (std::exchange(accepted_, true))
    return;
  if (!ended)
    wait_for(session_.limits.linger);
  listener_.post_accepted(*this);
}

void mcp_post::look_at(std::vector<std::string>& messages) {
  if (!messages.empty())
    resumes_ = 0;
  std::erase_if(messages, [this](std::string& each) { return holds_back(each); });
}

/// Looks for the response. Returns whether the message waits until it is known if the session is
/// lost.
bool mcp_post::holds_back(std::string& message) {
  const bool awaits = expects_response() && !settled_ && !check_;
  const auto seen = jsonrpc::look_at(message);
  bool ours = false;
  for (const auto id : seen.responses)
    if (id == message_.request_id)
      ours = true;
    else
      listener_.post_saw_response(id);
  const bool plain = ours && !seen.refuses;
  const bool calls = seen.responses.empty() && !seen.strange;
  if (awaits && !plain && !calls) {
    ours = look_closer(message);
    if (check_)
      return true;
  }
  if (ours)
    settle();
  return false;
}

/// Returns whether the message is the end of the request, unless a check has to show that first.
bool mcp_post::look_closer(std::string& message) {
  const auto said = jsonrpc::look_closer(message, message_.request_id);
  if (!said.fault.empty())
    unread_ = fmt::format("{}: {}", said.fault, session_.quote(message));
  if (!said.refuses || !resumed_from_.empty() || !session_.has_begun())
    return said.ours;
  auto refusal = read_refusal(answer_.status(), message, message_.request_id);
  if (may_show_lost_session(refusal)) {
    held_ = std::move(message);
    check(std::move(refusal));
  }
  return true;
}

void mcp_post::on_last(const http_part& part) {
  call_.reset();
  if (check_)
    return; // which ends the post
  const bool can_resume = !answer_.last_event_id().empty();
  if (!resumed_from_.empty() && can_resume && may_pass(answer_.status()))
    return resume();
  if (is_reply(message_) && may_pass(answer_.status()) && ++resumes_ <= session_.limits.resumes)
    return wait_for(session_.limits.retry); // a user may have written it
  if (answer_.status() >= 300)
    return refuse(part);
  if (settled_ && (answer_.accepted() || can_resume))
    return end({});
  if (can_resume)
    return resume();
  end(cut_off(part));
}

/// Returns the failure for an answer without a failure status and without a response.
mcp_post_end mcp_post::cut_off(const http_part& part) const {
  const auto& name = session_.config.name;
  mcp_post_end out;
  if (part.error != errc::none) {
    out.error = error_of(part.error);
    if (part.error == errc::encoding_unsupported && message_.method != "tools/call")
      out.error = errc::server_protocol; // only a tool may have done something
    out.text = fmt::format("MCP server '{}': {}", name, part.error_text);
    out.unreachable = answer_.status() == 0;
    out.not_run = has_not_arrived(part.error) && resumed_from_.empty();
    return out;
  }
  out.error = errc::server_lost;
  out.text = fmt::format("MCP server '{}' ended its answer to {} without a response (HTTP {}) {}",
                         name, message_.method, answer_.status(),
                         unread_.empty() ? session_.quote(answer_.body()) : unread_);
  return out;
}

void mcp_post::refuse(const http_part& part) {
  auto refusal = read_refusal(answer_.status(), answer_.body(), message_.request_id);
  if (part.error == errc::encoding_unsupported)
    unread_ = part.error_text;
  // A resumed stream may be refused because of its event id.
  const bool shows = resumed_from_.empty() && shows_lost_session(refusal);
  if (session_.has_begun() && shows)
    return lose_session(refusal);
  const bool awaited = message_.request_id != 0 && !(expects_response() && settled_);
  if (session_.has_begun() && awaited && may_show_lost_session(refusal))
    return check(std::move(refusal));
  finish_refused(refusal, false);
}

/// An error of JSON-RPC is an answer, whatever its status: but not where the server wants another
/// authorization, and not to `initialize`, which another transport may still do.
void mcp_post::finish_refused(const mcp_refusal& refusal, bool session_lost) {
  const bool is_answer = refusal.is_error && refusal.status != 401 && refusal.status != 403 &&
                         message_.method != "initialize" && message_.request_id != 0;
  if (refusal.answers_us || is_answer) {
    listener_.post_received(*this, {answer_.body()});
    return end({.text = session_.describe_loss(refusal), .session_lost = session_lost});
  }
  if (expects_response() && settled_)
    return end({});
  const bool first = resumed_from_.empty();
  const auto what = first ? message_.method : "the resumed " + message_.method;
  end({.error = first ? errc::server_unavailable : errc::server_lost,
       .text = session_.describe_refusal(answer_, what, unread_),
       .session_lost = session_lost,
       .refused_with = first ? answer_.status() : uint16_t{0}});
}

void mcp_post::check(mcp_refusal refusal) {
  check_ = std::make_unique<mcp_session_check>(session_, std::move(refusal),
                                               [this](bool lost) { on_checked(lost); });
  check_->start();
}

/// A server that wants another authorization, or is too busy, may have run the request and refuse
/// everything since: nothing is sent again then. A new session may help, but costs the answers that
/// are under way.
void mcp_post::on_checked(bool lost) {
  const auto refusal = check_->doubted();
  check_.reset();
  if (refusal.status == 401 || refusal.status == 503)
    return finish_refused(refusal, lost && !listener_.posts_run_beside(*this));
  if (lost)
    return lose_session(refusal);
  if (held_.empty())
    return finish_refused(refusal, false);
  listener_.post_received(*this, {std::move(held_)});
  settle();
}

void mcp_post::lose_session(const mcp_refusal& refusal) {
  end({.error = errc::server_session_lost,
       .text = session_.describe_loss(refusal),
       .session_lost = true,
       .not_run = resumed_from_.empty()});
}

void mcp_post::resume() {
  if (answer_.last_event_id() != resumed_from_)
    resumes_ = 0;
  if (++resumes_ > session_.limits.resumes)
    return end({errc::server_lost,
                fmt::format("MCP server '{}' did not answer {} in {} resumed streams (HTTP {})",
                            session_.config.name, message_.method, session_.limits.resumes,
                            answer_.status())});
  wait_for(answer_.retry() < answer_.retry().zero() ? session_.limits.retry : answer_.retry());
}

void mcp_post::wait_for(std::chrono::milliseconds time) {
  timer_ = std::make_unique<timer>(session_.home, [this] { on_timer(); });
  timer_->start(time);
}

void mcp_post::on_timer() {
  timer_.reset();
  if (is_reply(message_) && !accepted_) {
    answer_.start_over();
    start();
  } else if (settled_) {
    end({}); // its stream stayed open after the response
  } else {
    reopen();
  }
}

void mcp_post::reopen() {
  resumed_from_ = answer_.last_event_id();
  answer_.start_over();
  auto request = session_.request("GET", "text/event-stream");
  request.fields.push_back({"Last-Event-ID", resumed_from_});
  request.deadlines.first_byte = request.deadlines.idle = longest_silence();
  call_ = session_.open(std::move(request), [this](http_part&& part) { on_part(std::move(part)); });
}

void mcp_post::end(mcp_post_end how) {
  if (std::exchange(over_, true))
    return;
  call_.reset();
  timer_.reset();
  check_.reset();
  listener_.post_ended(*this, std::move(how));
}

} // namespace troupe

#include "transport/mcp_post.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/jsonrpc_peek.hpp"

namespace troupe {

namespace {

/// How much longer than its actor the transport waits for a request: the actor's word comes first.
constexpr auto patience = std::chrono::seconds{5};

errc error_of(errc transport_error) {
  return transport_error == errc::connect_failed ? errc::server_unavailable : errc::server_lost;
}

} // namespace

mcp_post::mcp_post(mcp_http_session& session, mcp_outbound message, mcp_post_listener& listener)
    : session_{session}, message_{std::move(message)}, listener_{listener},
      answer_{session.limits.answer_bytes} {}

void mcp_post::start() {
  auto request = session_.request("POST", "application/json, text/event-stream");
  request.fields.push_back({"Content-Type", "application/json"});
  request.body = std::move(message_.json);
  request.deadlines.first_byte = request.deadlines.idle = longest_silence();
  settled_ = message_.request_id == 0;
  call_ = session_.open(std::move(request), [this](http_part&& part) { on_part(std::move(part)); });
}

std::chrono::milliseconds mcp_post::longest_silence() const {
  const auto limit = session_.config.request_timeout;
  return limit > limit.zero() ? limit + patience : limit.zero();
}

void mcp_post::settle() {
  if (std::exchange(settled_, true) || over_)
    return;
  if (!call_) // it waits to resume
    return end({});
  timer_ = std::make_unique<timer>(session_.home, [this] { on_timer(); });
  timer_->start(session_.limits.linger);
}

void mcp_post::on_part(http_part&& part) {
  if (over_)
    return;
  if (part.status != 0 && message_.method == "initialize" && part.status < 300)
    session_.join(part.session);
  auto messages = answer_.take(part);
  look_at(messages);
  listener_.post_received(std::move(messages));
  if (answer_.overflowed())
    end({errc::server_protocol, fmt::format("MCP server '{}' answered with more than {} bytes",
                                            session_.config.name, session_.limits.answer_bytes)});
  else if (part.last)
    on_last(part);
}

void mcp_post::look_at(const std::vector<std::string>& messages) {
  if (!messages.empty())
    resumes_ = 0;
  for (const auto& message : messages)
    for (const auto id : jsonrpc::response_ids(message))
      if (id == message_.request_id)
        settle();
      else
        listener_.post_saw_response(id);
}

void mcp_post::on_last(const http_part& part) {
  call_.reset();
  if (answer_.status() >= 300)
    return refuse();
  const bool can_resume = !answer_.last_event_id().empty();
  if (settled_ && (answer_.accepted() || can_resume))
    return end({});
  if (can_resume)
    return resume();
  end(cut_off(part));
}

/// What to say about an answer that had no status of failure, and no response either.
mcp_post_end mcp_post::cut_off(const http_part& part) const {
  const auto& name = session_.config.name;
  if (part.error != errc::none)
    return {error_of(part.error), fmt::format("MCP server '{}': {}", name, part.error_text), false,
            answer_.status() == 0};
  return {errc::server_lost,
          fmt::format("MCP server '{}' ended its answer to {} without a response (HTTP {}) {}",
                      name, message_.method, answer_.status(), excerpt(answer_.body()))};
}

void mcp_post::refuse() {
  const auto& name = session_.config.name;
  const auto& body = answer_.body();
  const auto ids = jsonrpc::response_ids(body);
  if (message_.request_id != 0 && std::ranges::count(ids, message_.request_id) > 0) {
    listener_.post_received({body}); // an error of JSON-RPC, not of HTTP
    return end({});
  }
  if (resumed_from_.empty() && session_.is_lost(answer_.status(), body))
    return end({errc::server_lost,
                fmt::format("MCP server '{}': session expired (HTTP {}) {}", name, answer_.status(),
                            excerpt(body)),
                true});
  if (settled_ && message_.request_id != 0)
    return end({});
  const auto* hint = answer_.status() < 400 ? "redirects are not followed, give the final URL" : "";
  end({errc::server_unavailable,
       fmt::format("MCP server '{}' answered {} with HTTP {}: {}{}", name, message_.method,
                   answer_.status(), hint, excerpt(body))});
}

void mcp_post::resume() {
  if (answer_.last_event_id() != resumed_from_)
    resumes_ = 0;
  if (++resumes_ > session_.limits.resumes)
    return end({errc::server_lost,
                fmt::format("MCP server '{}' did not answer {} in {} resumed streams",
                            session_.config.name, message_.method, session_.limits.resumes)});
  timer_ = std::make_unique<timer>(session_.home, [this] { on_timer(); });
  timer_->start(answer_.retry() < answer_.retry().zero() ? session_.limits.retry : answer_.retry());
}

void mcp_post::on_timer() {
  timer_.reset();
  if (settled_)
    end({}); // its stream stayed open after the response
  else
    reopen();
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
  listener_.post_ended(*this, std::move(how));
}

} // namespace troupe

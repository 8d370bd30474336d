#include "apps/bench/target/http/answer_reader.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe::bench {

namespace {

errc code_of_status(uint16_t status) {
  switch (status) {
  case 401:
    return errc::unauthorized;
  case 403:
    return errc::forbidden;
  case 404:
    return errc::not_found;
  case 405:
    return errc::method_not_allowed;
  case 408:
    return errc::deadline_exceeded;
  case 409:
    return errc::session_busy;
  case 412:
    return errc::conversation_changed;
  case 413:
    return errc::request_too_large;
  case 429:
    return errc::rate_limited;
  case 502:
    return errc::model_failed;
  case 503:
  case 529:
    return errc::model_overloaded;
  case 504:
    return errc::model_timeout;
  default:
    return status < 500 ? errc::request_invalid : errc::internal;
  }
}

/// Returns the code of {"error":{"code":"session_busy",...}}, or errc::none if it is none of ours.
errc code_of_body(std::string_view body) {
  json_source source{body};
  std::string_view error, code;
  read_members(source.root(), {{"error", &error}});
  read_members(error, {{"code", &code}});
  auto name = json_string(code);
  auto found = errc_from(name);
  return to_string(found) == name ? found : errc::none;
}

} // namespace

void answer_reader::feed(std::string_view bytes, observations& out) {
  out_ = &out;
  events_.feed(bytes, [this](const sse_event& each) {
    read(each);
    return !over_;
  });
  if (events_.overflowed() && !over_)
    fail(errc::model_answer_invalid, "an event of the answer is too long");
}

void answer_reader::finish(observations& out) {
  if (over_)
    return;
  out_ = &out;
  events_.finish([this](const sse_event& each) {
    read(each);
    return !over_;
  });
  if (!over_)
    cut_short();
}

void answer_reader::cut_short() {
  fail(errc::model_stream_cut, "the answer ended without its terminator");
}

std::string answer_reader::take_text() {
  return std::exchange(text_, {});
}

void answer_reader::text(std::string_view literal) {
  if (literal.size() <= 2)
    return;
  tell(observed::text);
  if (keep_bytes_ == 0)
    return;
  append_utf8(text_, literal.substr(1, literal.size() - 2));
  if (text_.size() > keep_bytes_) {
    keep_bytes_ = 0;
    std::string{}.swap(text_);
  }
}

void answer_reader::tell(observed what, uint32_t count) {
  if (over_)
    return;
  if (what == observed::text && !out_->empty() && out_->back().what == observed::text) {
    out_->back().count += count;
    return;
  }
  auto& made = out_->emplace_back();
  made.what = what;
  made.count = count;
}

void answer_reader::end() {
  tell(observed::end);
  if (!over_)
    out_->back().used = used_;
  over_ = true;
}

void answer_reader::fail(errc code, std::string_view why) {
  if (over_)
    return;
  tell(observed::failed);
  out_->back().code = code;
  out_->back().text = utf8_prefix(why, max_observed_text_bytes);
  over_ = true;
}

void answer_reader::stopped() {
  if (stop_expected_)
    end();
  else
    fail(errc::aborted, "the other side stopped the turn");
}

failure refused_turn(uint16_t status, std::string_view body) {
  auto code = code_of_body(body);
  if (code == errc::none)
    code = code_of_status(status);
  return {code, fmt::format("HTTP {}: {}", status, excerpt(body, 180))};
}

} // namespace troupe::bench

#include "messages/wire/provider/answer_decoder.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "messages/ascii_case.hpp"
#include "messages/wire/provider/provider_error.hpp"
#include "messages/wire/provider/refused_parameter.hpp"

namespace troupe {

namespace {

/// A delta takes about this many bytes on the wire; used to reserve room for its events.
constexpr size_t bytes_per_event = 160;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  if (text.starts_with('{') && text.ends_with('}'))
    return text; // the usual case
  auto first = text.find_first_not_of(space);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

bool is_html(std::string_view content_type) {
  constexpr std::string_view html = "text/html";
  return same_ignoring_case(content_type.substr(0, html.size()), html);
}

} // namespace

answer_decoder::answer_decoder(std::unique_ptr<provider_answer> answer, list_reading lists)
    : answer_{std::move(answer)}, frames_{max_event_bytes, max_document_bytes, lists} {}

void answer_decoder::head(uint16_t status, std::string_view content_type,
                          std::string_view retry_after) {
  status_ = status;
  content_type_ = content_type;
  retry_after_ = retry_after;
  if (status >= 300 || is_html(content_type))
    mode_ = mode::refusal;
}

model_end answer_decoder::feed(std::string_view bytes, std::vector<event>& out) {
  switch (mode_) {
  case mode::frames:
    feed_frames(bytes, out);
    break;
  case mode::refusal:
    feed_refusal(bytes);
    break;
  case mode::over:
    break;
  }
  end_.finished = is_finished();
  return end_;
}

/// An answer that cannot be read has nothing to wait for, either, if its connection stays open.
bool answer_decoder::is_finished() const noexcept {
  return mode_ == mode::refusal || frames_.is_unreadable() ||
         (answer_->finished() && !answer_->resumed());
}

void answer_decoder::feed_frames(std::string_view bytes, std::vector<event>& out) {
  if (auto likely = bytes.size() / bytes_per_event; out.capacity() - out.size() < likely)
    out.reserve(std::max(out.size() + likely, out.size() * 2));
  const auto first = out.size();
  release(out);
  frames_.feed(
      bytes, [this, &out](const sse_event& each) { return on_text(each, false, out); },
      [this, &out](std::string_view rest) { return answer_->read_known_events(rest, out); });
  if (frames_.fault() && mode_ != mode::over)
    fail(frames_.fault(), out);
  hold_whole(first, out);
  if (frames_.framing() != answer_framing::markup)
    return;
  mode_ = mode::refusal;
  feed_refusal(frames_.start());
}

/// An answer in one piece is told with its end, which may come in a later read: a turn that was
/// over at once stays so.
void answer_decoder::hold_whole(size_t first, std::vector<event>& out) {
  if (mode_ != mode::frames || !is_whole() || !answer_->finished())
    return;
  const auto from = out.begin() + static_cast<std::ptrdiff_t>(first);
  held_.assign(std::move_iterator{from}, std::move_iterator{out.end()});
  out.erase(from, out.end());
}

void answer_decoder::release(std::vector<event>& out) {
  std::ranges::move(held_, std::back_inserter(out));
  held_.clear();
}

bool answer_decoder::on_text(const sse_event& shown, bool may_be_cut, std::vector<event>& out) {
  auto data = trimmed(shown.data);
  if (data.empty())
    return true;
  auto before = static_cast<size_t>(data.data() - shown.data.data());
  auto problem = answer_->read({shown.type, data, shown.data_capacity - before}, out);
  if (!problem && answer_->ended()) {
    complete_stream(out);
    return false;
  }
  if (!problem && !answer_->begun() && body_.empty())
    body_ = data.substr(0, max_error_body_bytes);
  // A text that the end of the body broke off counts as a cut, not as invalid. After a finished
  // answer an unreadable text is ignored.
  auto unread = problem.code == errc::model_answer_invalid;
  if (!problem || (unread && (may_be_cut || answer_->finished())))
    return true;
  fail(std::move(problem), out, data);
  return false;
}

void answer_decoder::feed_refusal(std::string_view bytes) {
  body_.append(bytes.substr(0, max_error_body_bytes - body_.size()));
  if (body_.size() == max_error_body_bytes)
    refuse();
}

model_end answer_decoder::finish(const failure& cut, std::vector<event>& out) {
  switch (mode_) {
  case mode::frames:
    finish_frames(cut, out);
    break;
  case mode::refusal:
    refuse();
    break;
  case mode::over:
    break;
  }
  return end_;
}

void answer_decoder::finish_frames(const failure& cut, std::vector<event>& out) {
  release(out);
  auto alone = frames_.framing() == answer_framing::texts && !answer_->begun();
  auto may_be_cut = cut || !alone;
  frames_.finish([&, this](const sse_event& each) { return on_text(each, may_be_cut, out); });
  if (mode_ == mode::over)
    return;
  auto only_other = !cut && !answer_->begun() && !body_.empty();
  if (frames_.fault())
    fail(frames_.fault(), out);
  else if (answer_->finished() || is_whole() || only_other)
    complete_stream(out);
  else
    fail_cut(cut, out);
}

/// Returns whether one completion came in place of a stream; it is complete without a reason, too.
bool answer_decoder::is_whole() const noexcept {
  return frames_.framing() == answer_framing::texts && answer_->whole();
}

void answer_decoder::refuse() {
  mode_ = mode::over;
  end_.over = true;
  end_.reason = finish_reason::error;
  end_.error = refused_exchange(status_, content_type_, retry_after_, body_);
  end_.retry_after_ms = retry_delay_in(body_);
  if (end_.error.code == errc::model_request_invalid)
    end_.refused_parameter = refused_parameter(body_);
  std::string{}.swap(body_);
}

/// A stream with an orderly end has an answer; otherwise its text was an error of the provider.
void answer_decoder::complete_stream(std::vector<event>& out) {
  if (answer_->begun())
    complete(out);
  else if (body_.empty())
    fail({errc::model_answer_invalid, "The model sent a stream without an answer."}, out);
  else if (frames_.framing() == answer_framing::texts)
    fail({errc::model_answer_invalid,
          fmt::format("The model sent JSON that is no answer: {}", excerpt(body_))},
         out);
  else
    fail(provider_error(200, body_), out, body_);
}

void answer_decoder::complete(std::vector<event>& out) {
  answer_->complete(out);
  mode_ = mode::over;
  end_ = answer_->end();
  end_.over = true;
  std::string{}.swap(body_);
}

/// @param told the text that reports the error; "" if none does
void answer_decoder::fail(failure why, std::vector<event>& out, std::string_view told) {
  answer_->complete_started(out);
  mode_ = mode::over;
  end_.over = true;
  end_.reason = finish_reason::error;
  end_.used = answer_->used();
  end_.retry_after_ms = retry_delay_in(told);
  end_.error = std::move(why);
  std::string{}.swap(body_);
}

void answer_decoder::fail_cut(const failure& cut, std::vector<event>& out) {
  failure why{errc::model_stream_cut, {}};
  if (cut)
    why.message = fmt::format("{} ({})", user_text(why.code), cut.text());
  else if (frames_.framing() == answer_framing::unknown)
    why.message = "The model's answer was empty.";
  fail(std::move(why), out);
}

} // namespace troupe

#include "apps/model/dialect/answer_frames.hpp"

#include <utility>

#include <fmt/format.h>

#include "apps/model/script/tokens.hpp"

namespace troupe::scripted {

answer_frames::answer_frames(answer what, const chat_call& call, const dialect& spoken)
    : what_{std::move(what)}, writer_{spoken.frames(what_, call)} {
  if (what_.end == ending::silent || what_.end == ending::refused || what_.end == ending::verbatim)
    stage_ = stage::over;
}

bool answer_frames::next_is_token() const noexcept {
  return stage_ == stage::reasoning || stage_ == stage::text || stage_ == stage::arguments;
}

void answer_frames::enter(stage next) {
  stage_ = next;
  if (next == stage::reasoning)
    rest_ = what_.reasoning;
  else if (next == stage::text)
    rest_ = what_.text;
  else if (next == stage::arguments)
    rest_ = what_.calls[call_].arguments;
  skip_empty();
}

/// Leaves a stage that has nothing more to give.
void answer_frames::skip_empty() {
  const auto after = [this](stage next) { enter(next); };
  switch (stage_) {
  case stage::reasoning:
    return rest_.empty() ? after(stage::text) : void();
  case stage::text: {
    const bool is_over = what_.tokens == 0 ? rest_.empty() : text_tokens_ == what_.tokens;
    return is_over || what_.text.empty() ? after(stage::call) : void();
  }
  case stage::call:
    return call_ == what_.calls.size() ? after(stage::end) : void();
  case stage::arguments:
    if (rest_.empty()) {
      ++call_;
      enter(stage::call);
    }
    return;
  case stage::end:
    return what_.end != ending::whole && what_.end != ending::failed ? after(stage::over) : void();
  default:
    return;
  }
}

std::string_view answer_frames::take_token() {
  const auto token = first_token(rest_);
  rest_.remove_prefix(token.size());
  ++tokens_;
  return token;
}

void answer_frames::next(json_buffer& out) {
  switch (stage_) {
  case stage::begin:
    writer_->begin(out);
    return enter(stage::reasoning);
  case stage::reasoning:
    writer_->reasoning(out, take_token());
    return skip_empty();
  case stage::text:
    append_text(out);
    return skip_empty();
  case stage::call:
    return append_call(out);
  case stage::arguments:
    writer_->arguments(out, call_, take_token());
    return skip_empty();
  case stage::end:
    if (what_.end == ending::failed)
      writer_->fail(out, what_.refused);
    else
      writer_->end(out, tokens_);
    stage_ = stage::over;
    return;
  case stage::over:
    return;
  }
}

void answer_frames::append_text(json_buffer& out) {
  ++text_tokens_;
  if (!rest_.empty())
    return writer_->text(out, take_token());
  rest_ = what_.text; // it repeats; its first word has no space before it
  writer_->text(out, fmt::format(" {}", take_token()));
}

void answer_frames::append_call(json_buffer& out) {
  writer_->call(out, call_);
  if (!writer_->has_whole_calls())
    return enter(stage::arguments);
  tokens_ += count_tokens(what_.calls[call_++].arguments);
  enter(stage::call);
}

std::string all_frames(answer what, const chat_call& call, const dialect& spoken) {
  answer_frames frames{std::move(what), call, spoken};
  json_buffer out;
  while (!frames.done())
    frames.next(out);
  return std::string{view(out)};
}

} // namespace troupe::scripted

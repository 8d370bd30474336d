#include "apps/bench/target/http/answer_reader.hpp"

#include <utility>

#include "messages/utf8.hpp"

namespace troupe::bench {

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

} // namespace troupe::bench

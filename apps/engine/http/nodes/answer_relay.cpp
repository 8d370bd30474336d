#include "apps/engine/http/nodes/answer_relay.hpp"

#include <charconv>
#include <utility>

#include "apps/engine/http/nodes/forward_fields.hpp"

namespace troupe {

namespace {

/// Longer answers go on in pieces, whatever the node has said.
constexpr size_t most_in_one_piece = size_t{1} << 20;

constexpr uint16_t status_not_owner = 421;

/// Returns whether an answer is short and says how long it is.
bool is_short(const headers& fields) {
  const auto text = find_header(fields, "content-length");
  size_t length = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, length);
  return !text.empty() && error == std::errc{} && stop == end && length <= most_in_one_piece;
}

/// Returns whether answers of this status have no body.
bool has_no_body(uint16_t status) {
  return status == 204 || status == 304;
}

/// Returns whether a request of this exchange may have reached the node.
bool may_have_come(errc error) {
  return error != errc::connect_failed && error != errc::connect_timeout;
}

} // namespace

answer_relay::answer_relay(std::shared_ptr<http_response> client,
                           std::shared_ptr<forward_counts> counts)
    : client_(std::move(client)), counts_(std::move(counts)) {
  ++counts_->open;
}

answer_relay::~answer_relay() {
  --counts_->open;
}

void answer_relay::begin(http_port& http, http_request request, teller tell,
                         std::function<void()> left) {
  tell_ = std::move(tell);
  left_ = std::move(left);
  const std::weak_ptr<answer_relay> weak{weak_from_this()};
  client_->watch([weak](response_signal what) {
    if (auto self = weak.lock())
      self->on_client(what);
  });
  auto self = shared_from_this();
  std::shared_ptr<http_exchange> made =
      http.open(std::move(request), 0, [self](http_part&& part) { self->arrive(std::move(part)); });
  exchange_ = made;
  if (paused_) { // it came before the exchange was here
    made->pause();
    if (!paused_)
      made->resume();
  }
  if (over_)
    drop_exchange();
}

void answer_relay::cancel() {
  over_ = true;
  drop_exchange();
}

bool answer_relay::give_up() {
  auto now = stage::waiting;
  if (!stage_.compare_exchange_strong(now, stage::given_up))
    return false;
  cancel();
  return true;
}

/// The exchange's receiver holds this object, so it is let go in the end.
void answer_relay::drop_exchange() {
  exchange_.exchange(nullptr);
}

void answer_relay::on_client(response_signal what) {
  if (what == response_signal::gone) {
    cancel();
    return left_();
  }
  ++drained_;
  paused_ = false;
  if (const auto exchange = exchange_.load())
    exchange->resume();
}

void answer_relay::arrive(http_part&& part) {
  if (over_)
    return;
  if (part.status != 0)
    on_head(part);
  if (!over_ && stage_ == stage::begun)
    on_bytes(part.bytes);
  if (part.last && !over_)
    on_end(part);
}

void answer_relay::on_head(http_part& part) {
  if (!find_header(part.head, not_taken_field).empty()) {
    const auto is_owner = part.status != status_not_owner;
    over_ = true;
    drop_exchange();
    return tell({is_owner ? forward_start::kind::refused : forward_start::kind::not_owner,
                 {errc::forbidden, "it answered " + std::to_string(part.status)}});
  }
  auto now = stage::waiting;
  if (!stage_.compare_exchange_strong(now, stage::begun))
    return;
  ++counts_->passed;
  status_ = part.status;
  whole_ = has_no_body(part.status) || is_short(part.head);
  fields_ = passed_fields(std::move(part.head));
  if (!whole_) {
    client_->start(status_, fields_);
    client_->send_now(); // the node has waited for more already
  }
  tell({forward_start::kind::passed});
}

/// `drained` may come on another thread between the write and the pause, and its resume() before
/// the pause: then the exchange must not stay paused.
void answer_relay::on_bytes(std::string& bytes) {
  if (bytes.empty())
    return;
  if (whole_) {
    held_ += bytes;
    return;
  }
  const auto before = drained_.load();
  if (client_->write(bytes))
    return;
  paused_ = true;
  const auto exchange = exchange_.load();
  if (exchange)
    exchange->pause();
  if (drained_ == before)
    return;
  paused_ = false;
  if (exchange)
    exchange->resume();
}

void answer_relay::on_end(const http_part& part) {
  over_ = true;
  const auto self = shared_from_this(); // the exchange may be all that holds it
  if (stage_ != stage::begun) {
    tell({forward_start::kind::unreachable,
          {part.error == errc::none ? errc::connection_cut : part.error, part.error_text},
          may_have_come(part.error)});
  } else if (part.error != errc::none) {
    ++counts_->broken;
    client_->reset();
  } else if (whole_) {
    client_->send(status_, fields_, std::move(held_));
  } else {
    client_->finish();
  }
  drop_exchange();
}

void answer_relay::tell(forward_start how) {
  if (how.what == forward_start::kind::not_owner)
    ++counts_->not_owner;
  else if (how.what == forward_start::kind::refused)
    ++counts_->refused;
  else if (how.what == forward_start::kind::unreachable)
    ++counts_->unreachable;
  if (auto to = std::exchange(tell_, nullptr))
    to(std::move(how));
}

} // namespace troupe

#include "actors/session/turn_log.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <type_traits>
#include <utility>

#include <caf/make_message.hpp>

#include "messages/interfaces/type_ids.hpp"

// A packed run is a row of batches, each as
//   count of events, microseconds since the batch before, the events;
// an event as its kind (text, reasoning, args), its strings each with its length in front.
// Numbers are LEB128.

namespace troupe {

namespace {

/// Where a packed run ends: whoever reads from the middle scans no more than this.
constexpr size_t run_bytes = 2048;

int64_t now_us() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

bool is_delta(const event& what) {
  return std::holds_alternative<text_delta>(what) ||
         std::holds_alternative<reasoning_delta>(what) ||
         std::holds_alternative<tool_args_delta>(what);
}

void put_number(std::string& out, uint64_t number) {
  for (; number >= 0x80; number >>= 7)
    out.push_back(static_cast<char>(number | 0x80));
  out.push_back(static_cast<char>(number));
}

void put_text(std::string& out, const std::string& text) {
  put_number(out, text.size());
  out += text;
}

void put_event(std::string& out, const event& what) {
  if (const auto* text = std::get_if<text_delta>(&what)) {
    out.push_back('t');
    put_text(out, text->text);
  } else if (const auto* thought = std::get_if<reasoning_delta>(&what)) {
    out.push_back('r');
    put_text(out, thought->text);
  } else {
    const auto& args = std::get<tool_args_delta>(what);
    out.push_back('a');
    put_text(out, args.tool_call_id);
    put_text(out, args.delta);
  }
}

/// Reads what was packed; trusts it.
class unpacker {
public:
  explicit unpacker(std::string_view packed) : rest_{packed} {}

  uint64_t number() {
    uint64_t out = 0;
    for (int shift = 0;; shift += 7) {
      auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      out |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80)
        return out;
    }
  }

  event next() {
    auto kind = take_kind();
    if (kind == 't')
      return text_delta{std::string{text()}};
    if (kind == 'r')
      return reasoning_delta{std::string{text()}};
    auto id = text();
    return tool_args_delta{std::string{id}, std::string{text()}};
  }

  void skip() {
    auto kind = take_kind();
    text();
    if (kind == 'a')
      text();
  }

private:
  char take_kind() {
    auto kind = rest_.front();
    rest_.remove_prefix(1);
    return kind;
  }

  std::string_view text() {
    auto size = number();
    auto out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return out;
  }

  std::string_view rest_;
};

/// Returns the memory behind an event's strings.
template <class T>
size_t text_bytes(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value.size();
  } else if constexpr (described<T>) {
    size_t sum = 0;
    for_each_field(value, [&](const char*, const auto& member) { sum += text_bytes(member); });
    return sum;
  } else {
    return 0;
  }
}

size_t bytes_of(const std::vector<event>& events) {
  auto sum = events.size() * sizeof(event);
  for (const auto& each : events)
    sum += std::visit([](const auto& what) { return text_bytes(what); }, each);
  return sum;
}

} // namespace

turn_log::turn_log(std::string session_id, std::string turn_id, uint64_t first_seq)
    : newest_{std::move(session_id), std::move(turn_id), 0, 0, {}}, next_{first_seq} {}

void turn_log::append(std::vector<event>& more) {
  append(more, now_us());
}

/// The clock of another process may have been ahead of ours; times in a log do not go back.
void turn_log::append(std::vector<event>& more, int64_t time_us) {
  auto count = more.size();
  auto time = std::max(time_us, newest_.time_us);
  if (std::all_of(more.begin(), more.end(), is_delta))
    pack(more, time);
  else
    keep(more, time);
  newest_.time_us = time;
  next_ += count;
}

/// Pieces of text that lie between others are packed, too.
void turn_log::restore(event_batch batch) {
  auto end = batch.events.end();
  for (auto from = batch.events.begin(); from != end;) {
    auto same = [kind = is_delta(*from)](const event& each) { return is_delta(each) == kind; };
    auto to = std::find_if_not(from, end, same);
    std::vector<event> part{std::make_move_iterator(from), std::make_move_iterator(to)};
    append(part, batch.time_us);
    from = to;
  }
}

void turn_log::pack(const std::vector<event>& more, int64_t time_us) {
  if (runs_.empty() || runs_.back().packed.empty() || runs_.back().packed.size() >= run_bytes) {
    runs_.push_back({next_, time_us, {}, {}, 0});
    newest_.time_us = time_us;
  }
  auto& into = runs_.back();
  put_number(into.packed, more.size());
  put_number(into.packed, static_cast<uint64_t>(time_us - newest_.time_us));
  for (const auto& each : more)
    put_event(into.packed, each);
  auto bytes = sizeof(run) + into.packed.size();
  bytes_ += bytes - into.bytes;
  into.bytes = bytes;
}

void turn_log::keep(std::vector<event>& more, int64_t time_us) {
  auto bytes = sizeof(run) + sizeof(event_batch) + bytes_of(more);
  auto batch = header(next_);
  batch.time_us = time_us;
  batch.events = std::exchange(more, {});
  runs_.push_back({next_, time_us, {}, caf::make_message(std::move(batch)), bytes});
  bytes_ += bytes;
}

event_batch& turn_log::newest(std::vector<event> events) {
  newest_.first_seq = next_ - events.size();
  newest_.events = std::move(events);
  return newest_;
}

event_batch turn_log::header(uint64_t first_seq) const {
  return {newest_.session_id, newest_.turn_id, first_seq, newest_.time_us, {}};
}

caf::message turn_log::read(uint64_t seq, size_t most) const {
  auto after =
      std::upper_bound(runs_.begin(), runs_.end(), seq,
                       [](uint64_t number, const run& each) { return number < each.first; });
  const auto& from = *std::prev(after);
  if (!from.packed.empty())
    return caf::make_message(unpack(from, seq, most));
  const auto& batch = from.whole.get_as<event_batch>(0);
  if (seq == from.first && batch.events.size() <= most)
    return from.whole;
  return caf::make_message(part_of(batch, seq, most));
}

event_batch turn_log::unpack(const run& from, uint64_t seq, size_t most) const {
  unpacker in{from.packed};
  auto batch = header(seq);
  batch.time_us = from.time_us;
  for (auto first = from.first;;) {
    auto count = in.number();
    batch.time_us += static_cast<int64_t>(in.number());
    auto end = first + count;
    for (; first < std::min(seq, end); ++first)
      in.skip();
    if (first == end)
      continue;
    for (; first < end && batch.events.size() < most; ++first)
      batch.events.push_back(in.next());
    return batch;
  }
}

event_batch turn_log::part_of(const event_batch& batch, uint64_t seq, size_t most) const {
  auto out = header(seq);
  out.time_us = batch.time_us;
  auto begin = batch.events.begin() + static_cast<std::ptrdiff_t>(seq - batch.first_seq);
  auto left = static_cast<size_t>(batch.events.end() - begin);
  out.events.assign(begin, begin + static_cast<std::ptrdiff_t>(std::min(left, most)));
  return out;
}

void turn_log::trim(uint64_t seq, size_t down_to) {
  while (!runs_.empty() && bytes_ > down_to) {
    auto end = runs_.size() > 1 ? runs_[1].first : next_;
    if (end > seq)
      return;
    bytes_ -= runs_.front().bytes;
    runs_.pop_front();
  }
}

} // namespace troupe

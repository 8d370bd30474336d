#include "messages/wire/clients/native_stream.hpp"

#include <variant>

#include <fmt/format.h>

#include "messages/chat/session_id.hpp"
#include "messages/wire/json/json_slice.hpp"

namespace troupe {

namespace {

void append_number(json_buffer& out, uint64_t number) {
  fmt::format_int digits{number};
  append_raw(out, {digits.data(), digits.size()});
}

/// Appends the members that all events of a batch have in common.
void append_place(json_buffer& out, const event_batch& batch) {
  append_raw(out, R"(,"sessionId":)");
  append_json(out, public_id(batch.session_id));
  append_raw(out, R"(,"turnId":)");
  append_json(out, batch.turn_id);
  append_raw(out, R"(,"timeUs":)");
  append_json(out, batch.time_us);
  out.push_back(',');
}

void append_event(json_buffer& out, const event_batch& batch, size_t index,
                  std::string_view place) {
  const auto& what = batch.events[index];
  auto from = out.size();
  append_raw(out, R"({"type":")");
  append_raw(out, name_of(what));
  append_raw(out, R"(","seq":)");
  append_number(out, batch.first_seq + index);
  append_raw(out, place);
  std::visit([&](const auto& members) { append_members(out, members); }, what);
  out.push_back('}');
  // JSON of others may have several lines, which neither SSE nor a line protocol can carry.
  keep_on_one_line(out, from);
}

} // namespace

const headers& native_stream_head() {
  static const headers all{{"content-type", "text/event-stream"},
                           {"cache-control", "no-cache"},
                           {"x-accel-buffering", "no"}};
  return all;
}

void append_event_json(json_buffer& out, const event_batch& batch, size_t index) {
  json_buffer place;
  append_place(place, batch);
  append_event(out, batch, index, view(place));
}

void append_native_sse(json_buffer& out, const event_batch& batch) {
  json_buffer place;
  append_place(place, batch);
  for (size_t i = 0; i < batch.events.size(); ++i) {
    append_raw(out, "event: ");
    append_raw(out, name_of(batch.events[i]));
    append_raw(out, "\nid: ");
    append_number(out, batch.first_seq + i);
    append_raw(out, "\ndata: ");
    append_event(out, batch, i, view(place));
    append_raw(out, "\n\n");
  }
}

} // namespace troupe

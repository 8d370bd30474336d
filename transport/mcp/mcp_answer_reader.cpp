#include "transport/mcp/mcp_answer_reader.hpp"

#include <utility>

#include "messages/ascii_case.hpp"
#include "messages/one_line.hpp"
#include "messages/utf8.hpp"

namespace troupe {

namespace {

constexpr size_t excerpt_bytes = 200;

bool has_media_type(std::string_view content_type, std::string_view wanted) {
  return same_ignoring_case(content_type.substr(0, wanted.size()), wanted);
}

bool looks_like_json(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

bool looks_complete(std::string_view json) {
  const auto last = json.find_last_not_of(" \t\r\n");
  return last != std::string_view::npos && (json[last] == '}' || json[last] == ']');
}

/// Some servers use types of their own.
bool is_message(std::string_view type, std::string_view data) {
  return type.empty() || type == "message" ? !data.empty() : looks_like_json(data);
}

} // namespace

std::vector<std::string> mcp_answer_reader::take(const http_part& part) {
  std::vector<std::string> out;
  if (part.status != 0) {
    status_ = part.status;
    location_ = part.location;
    is_event_stream_ = accepted() && has_media_type(part.content_type, "text/event-stream");
  }
  if (is_event_stream_)
    read_events(part, out);
  else
    read_body(part, out);
  return out;
}

void mcp_answer_reader::read_event(const sse_event& event, std::vector<std::string>& out) {
  const auto data = without_byte_order_mark(event.data);
  if (event.type == "endpoint")
    endpoint_ = data;
  else if (is_message(event.type, data))
    out.emplace_back(data);
}

void mcp_answer_reader::read_events(const http_part& part, std::vector<std::string>& out) {
  const auto visit = [&](const sse_event& event) {
    read_event(event, out);
    return true;
  };
  events_.feed(part.bytes, visit);
  if (events_.gave_id()) // an event that was cut must be sent again
    last_event_id_ = events_.last_event_id();
  // Some servers leave out the last blank line. A server that numbers its events can send them
  // again.
  if (part.last && part.error == errc::none)
    events_.finish([&](const sse_event& event) {
      return !event.id.empty() || !looks_complete(event.data) || visit(event);
    });
  overflowed_ = overflowed_ || events_.overflowed();
  if (events_.retry() >= events_.retry().zero())
    retry_ = events_.retry();
}

void mcp_answer_reader::read_body(const http_part& part, std::vector<std::string>& out) {
  if (overflowed_ || body_.size() + part.bytes.size() > max_bytes_) {
    overflowed_ = true; // also for the rest, which would look like a body of its own
    body_ = {};
    return;
  }
  body_ += part.bytes;
  if (!part.last || part.error != errc::none)
    return;
  remove_byte_order_mark(body_);
  if (accepted() && looks_like_json(body_))
    out.push_back(std::exchange(body_, {}));
}

void mcp_answer_reader::start_over() {
  status_ = 0;
  is_event_stream_ = false;
  location_.clear();
  events_ = sse_parser{max_bytes_};
  body_.clear();
}

std::string excerpt(std::string_view body) {
  if (begins_like_utf16(body))
    return "(it is UTF-16, and has to be UTF-8)";
  if (body.starts_with("\x1F\x8B"))
    return "(it is gzip encoded, and does not say so)";
  const auto first = body.find_first_not_of(" \t\r\n");
  const auto is_page = first != body.npos && body[first] == '<';
  auto line = one_line(body, excerpt_bytes, is_page ? markup::is_left_out : markup::stays);
  return is_page && line.empty() ? "(a web page)" : line;
}

} // namespace troupe

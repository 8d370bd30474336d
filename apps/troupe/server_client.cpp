#include "apps/troupe/server_client.hpp"

#include <cstdlib>
#include <future>
#include <utility>

#include <fmt/format.h>

#include "messages/terminal_text.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr size_t most_bytes = size_t{128} << 20;
constexpr auto too_long = "the server's answer has more than 128 MiB, which is no answer of Troupe";

/// Returns the beginning of a text of others, on one line.
std::string beginning_of(std::string_view text) {
  constexpr size_t most_shown_bytes = 100;
  const auto shown = utf8_prefix(text, most_shown_bytes);
  return terminal_text(shown) + (shown.size() < text.size() ? "..." : "");
}

} // namespace

std::string server_answer::complaint() const {
  if (error)
    return error.text();
  json_source source{body};
  std::string_view why, message;
  read_members(source.root(), {{"error", &why}});
  read_members(why, {{"message", &message}});
  auto said = json_string(message);
  if (status == 401 && !said.empty())
    said += " The environment's TROUPE_API_KEY can name one.";
  if (said.empty())
    return fmt::format("what answers there is no `troupe serve`: status {}{}{}", status,
                       body.empty() ? "" : ", ", beginning_of(body));
  return terminal_text(said, true);
}

/// One answer on its way; used by the loop's thread alone.
struct server_client::reading {
  reading(event_visitor each, end_visitor at_end)
      : visit(std::move(each)), ended(std::move(at_end)) {}

  event_visitor visit;
  end_visitor ended;
  sse_parser events;
  server_answer answer;
  bool is_stream = false;
  bool is_over = false;

  void take(const http_part& part) {
    if (is_over)
      return;
    if (part.status != 0) {
      answer.status = part.status;
      answer.etag = find_header(part.head, "etag");
      is_stream = part.content_type.starts_with("text/event-stream");
    }
    if (is_stream)
      events.feed(part.bytes, [this](const sse_event& said) {
        visit(said);
        return true;
      });
    else
      answer.body += part.bytes;
    if (answer.body.size() > most_bytes)
      return end({errc::request_too_large, too_long});
    if (part.last)
      end({part.error, part.error_text});
  }

  void end(failure why) {
    is_over = true;
    if (why)
      answer.error = std::move(why);
    ended(std::move(answer));
  }
};

server_client::server_client(std::string url, std::string key)
    : loops_(1), http_(loops_), url_(std::move(url)), key_(std::move(key)) {
  if (const char* given = std::getenv("TROUPE_API_KEY"); key_.empty() && given != nullptr)
    key_ = given;
  while (url_.ends_with('/'))
    url_.pop_back();
  if (constexpr std::string_view base = "/v1"; url_.ends_with(base)) // as other clients want it
    url_.resize(url_.size() - base.size());
}

http_request server_client::request(std::string_view method, std::string_view path,
                                    std::string body) const {
  http_request made;
  made.method = method;
  made.url = url_ + std::string{path};
  made.fields = {{"accept", "application/json, text/event-stream"}};
  if (!body.empty())
    made.fields.push_back({"content-type", "application/json"});
  if (!key_.empty())
    made.fields.push_back({"authorization", "Bearer " + key_});
  made.body = std::move(body);
  made.wants_head = true;
  made.deadlines = {std::chrono::seconds{10}, {}, {}, {}};
  return made;
}

server_answer server_client::send(std::string_view method, std::string_view path, std::string body,
                                  const headers& fields) {
  auto asked = request(method, path, std::move(body));
  asked.fields.insert(asked.fields.end(), fields.begin(), fields.end());
  return answer_to(std::move(asked), [](const sse_event&) {});
}

server_answer server_client::stream(std::string_view method, std::string_view path,
                                    std::string body, const event_visitor& visit) {
  return answer_to(request(method, path, std::move(body)), visit);
}

server_answer server_client::answer_to(http_request asked, const event_visitor& visit) {
  std::promise<server_answer> done;
  reading answer{visit, [&](server_answer said) { done.set_value(std::move(said)); }};
  auto exchange = http_.open(std::move(asked), 0, [&](http_part&& part) { answer.take(part); });
  return done.get_future().get();
}

std::unique_ptr<http_exchange> server_client::follow(std::string_view path, event_visitor visit,
                                                     end_visitor ended) {
  return begin("GET", path, {}, std::move(visit), std::move(ended));
}

std::unique_ptr<http_exchange> server_client::begin(std::string_view method, std::string_view path,
                                                    std::string body, event_visitor visit,
                                                    end_visitor ended) {
  auto answer = std::make_shared<reading>(std::move(visit), std::move(ended));
  return http_.open(request(method, path, std::move(body)), 0,
                    [answer](http_part&& part) { answer->take(part); });
}

void server_client::post(std::string_view path, std::string body) {
  posted_ = http_.open(request("POST", path, std::move(body)), 0, [](http_part&&) {});
}

std::string path_segment(std::string_view text) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string out;
  for (unsigned char c : text)
    if (plain.find(static_cast<char>(c)) != plain.npos)
      out.push_back(static_cast<char>(c));
    else
      out += fmt::format("%{:02X}", c);
  return out;
}

} // namespace troupe

#include "transport/http/response_head.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <iterator>

#include <fmt/format.h>

namespace troupe {

namespace {

struct reason {
  uint16_t status;
  std::string_view text;
};

constexpr auto reasons = std::to_array<reason>({
    {101, "Switching Protocols"},
    {102, "Processing"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
});
static_assert(std::ranges::is_sorted(reasons, {}, &reason::status)); // reason_of() halves it

std::string_view reason_of(uint16_t status) {
  const auto found =
      std::lower_bound(reasons.begin(), reasons.end(), status,
                       [](const reason& entry, uint16_t wanted) { return entry.status < wanted; });
  return found != reasons.end() && found->status == status ? found->text : "Status";
}

void append_number(std::string& out, uint64_t number) {
  std::array<char, 20> digits{};
  out.append(digits.data(),
             std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

void append_value(std::string& out, std::string_view value) {
  const auto from = out.size();
  out.append(value);
  for (auto i = from; i < out.size(); ++i)
    if (static_cast<unsigned char>(out[i]) < 0x20 || out[i] == 0x7f)
      out[i] = ' ';
}

void append_framing(std::string& out, uint16_t status, const response_framing& framing) {
  if (framing.chunked) {
    out.append("transfer-encoding: chunked\r\n");
  } else if (framing.content_length && status != 204 && status != 304 && status >= 200) {
    out.append("content-length: ");
    append_number(out, *framing.content_length);
    out.append("\r\n");
  }
  if (!framing.keep_alive)
    out.append("connection: close\r\n");
  else if (framing.http_1_0)
    out.append("connection: keep-alive\r\n");
}

} // namespace

void append_head(std::string& out, uint16_t status, const headers& extra,
                 const response_framing& framing, std::string_view date) {
  out.append("HTTP/1.1 ");
  append_number(out, status);
  out.push_back(' ');
  out.append(reason_of(status));
  out.append("\r\n");
  for (const auto& field : extra) {
    append_value(out, field.name);
    out.append(": ");
    append_value(out, field.value);
    out.append("\r\n");
  }
  if (!date.empty()) {
    out.append("date: ");
    out.append(date);
    out.append("\r\n");
  }
  if (status >= 200)
    out.append("x-content-type-options: nosniff\r\n"); // a browser must not guess a page
  append_framing(out, status, framing);
  out.append("\r\n");
}

void append_refusal_body(std::string& out, const http_refusal& why) {
  fmt::format_to(std::back_inserter(out), R"({{"error":{{"code":"{}","message":"{}"}}}})", why.code,
                 why.message);
}

void append_refusal(std::string& out, const http_refusal& why, bool with_body) {
  std::string body;
  append_refusal_body(body, why);
  const response_framing framing{
      .content_length = body.size(), .chunked = false, .keep_alive = false, .http_1_0 = false};
  append_head(out, why.status, {{"content-type", "application/json"}}, framing, http_date());
  if (with_body)
    out.append(body);
}

bool is_bodyless(uint16_t status) {
  return status < 200 || status == 204 || status == 304;
}

std::string_view http_date() {
  thread_local std::time_t last = 0;
  thread_local std::array<char, 32> text{};
  if (const auto now = std::time(nullptr); now != last) {
    std::tm parts{};
    gmtime_r(&now, &parts);
    constexpr const char* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto end =
        fmt::format_to_n(text.data(), text.size() - 1, "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                         days[parts.tm_wday], parts.tm_mday, months[parts.tm_mon],
                         parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
    *end.out = '\0';
    last = now;
  }
  return text.data();
}

} // namespace troupe

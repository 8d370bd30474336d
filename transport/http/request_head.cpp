#include "transport/http/request_head.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "messages/utf8.hpp"
#include "transport/http/authority.hpp"

namespace troupe {

namespace {

bool is_token_char(unsigned char c) {
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
    return true;
  return c != 0 &&
         std::string_view{"!#$%&'*+-.^_`|~"}.find(static_cast<char>(c)) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

bool is_control(unsigned char c) {
  return c < 0x20 || c == 0x7f;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

std::string lowered(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

int hex_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c = lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool is_decimal(char c) {
  return hex_value(c) >= 0 && hex_value(c) <= 9;
}

/// Calls `visit` with each member of a comma-separated list, in lower case.
template <class Visitor>
void for_each_member(std::string_view list, Visitor&& visit) {
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    if (const auto member = trimmed(list.substr(0, comma)); !member.empty())
      visit(lowered(member));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

/// Cuts "http://HOST:PORT" off the form that proxies are sent (RFC 9112, 3.2.2).
bool cut_absolute(std::string_view& target) {
  const auto scheme = target.substr(0, std::min(target.find(':'), target.size()));
  const auto name = lowered(scheme);
  if ((name != "http" && name != "https") || !target.substr(scheme.size()).starts_with("://"))
    return false;
  target.remove_prefix(scheme.size() + 3);
  const auto path = std::min(target.find_first_of("/?"), target.size());
  if (!is_authority(target.substr(0, path)))
    return false;
  target = path == target.size() ? "/" : target.substr(path);
  return true;
}

bool parse_target(std::string_view target, request_head& out) {
  if (target.empty() || std::any_of(target.begin(), target.end(), [](unsigned char c) {
        return is_control(c) || c == ' ' || c == '#';
      }))
    return false;
  if (out.request.method == "CONNECT" || target == "*") {
    out.request.path = out.request.target = target;
    return target != "*" || out.request.method == "OPTIONS";
  }
  if (target.front() != '/' && !cut_absolute(target))
    return false;
  const auto question = target.find('?');
  if (question != std::string_view::npos)
    out.request.query = target.substr(question + 1);
  out.request.target = target.substr(0, question);
  auto path = percent_decoded(out.request.target);
  if (!path)
    return false;
  out.request.path = path->empty() ? "/" : std::move(*path);
  return true;
}

http_refusal parse_request_line(std::string_view line, request_head& out) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last)
    return refusal::malformed;
  const auto version = line.substr(last + 1);
  out.request.method = line.substr(0, first);
  if (!is_token(out.request.method) || !version.starts_with("HTTP/") || version.size() != 8 ||
      version[6] != '.' || !is_decimal(version[5]) || !is_decimal(version[7]))
    return refusal::malformed;
  if (version[5] != '1')
    return refusal::version;
  out.http_1_0 = version[7] == '0';
  out.keep_alive = !out.http_1_0;
  return parse_target(line.substr(first + 1, last - first - 1), out) ? http_refusal{}
                                                                     : refusal::malformed;
}

bool parse_field(std::string_view line, headers& out) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
    return false;
  const auto value = trimmed(line.substr(colon + 1));
  if (std::any_of(value.begin(), value.end(),
                  [](unsigned char c) { return is_control(c) && c != '\t'; }))
    return false;
  out.push_back({lowered(line.substr(0, colon)), std::string{value}});
  return true;
}

http_refusal apply_length(std::string_view value, request_head& out) {
  uint64_t length = 0;
  const auto end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, length);
  if (error == std::errc::result_out_of_range)
    return refusal::body_too_large;
  if (error != std::errc{} || stop != end || out.content_length)
    return refusal::bad_length;
  out.content_length = length;
  return {};
}

http_refusal apply_coding(std::string_view value, request_head& out) {
  if (out.http_1_0 || out.chunked)
    return refusal::bad_length;
  if (lowered(value) != "chunked")
    return refusal::coding;
  out.chunked = true;
  return {};
}

/// Takes the values that concern the connection from one field.
http_refusal apply_field(const header& field, request_head& out, size_t& hosts) {
  if (field.name == "host") {
    ++hosts;
    if (!is_authority(field.value))
      return refusal::bad_host;
  } else if (field.name == "content-length") {
    return apply_length(field.value, out);
  } else if (field.name == "transfer-encoding") {
    return apply_coding(field.value, out);
  } else if (field.name == "connection") {
    for_each_member(field.value, [&](const std::string& option) {
      if (option == "close")
        out.keep_alive = false;
      else if (option == "keep-alive" && out.http_1_0)
        out.keep_alive = true;
    });
  } else if (field.name == "expect" && !out.http_1_0) {
    if (lowered(field.value) != "100-continue")
      return refusal::expectation;
    out.expect_continue = true;
  }
  return {};
}

} // namespace

size_t head_finder::find(std::string_view bytes) {
  if (seen_ == 0 && !bytes.empty() && !is_token_char(static_cast<unsigned char>(bytes.front())))
    broken_ = true; // TLS, a proxy preamble or noise: the rest does not matter
  while (!broken_) {
    const auto feed = bytes.find('\n', seen_);
    if (feed == std::string_view::npos) {
      seen_ = bytes.size();
      return 0;
    }
    seen_ = feed + 1;
    if (feed == line_start_ || bytes[feed - 1] != '\r') {
      broken_ = true;
    } else if (feed - 1 == line_start_) {
      return seen_;
    }
    line_start_ = seen_;
  }
  return 0;
}

http_refusal parse_head(std::string_view bytes, request_head& out) {
  size_t hosts = 0;
  for (bool first = true; bytes.size() > 2; first = false) {
    const auto end = bytes.find("\r\n");
    const auto line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 2);
    if (first) {
      if (auto refused = parse_request_line(line, out))
        return refused;
      continue;
    }
    if (!parse_field(line, out.request.fields))
      return refusal::malformed;
    if (auto refused = apply_field(out.request.fields.back(), out, hosts))
      return refused;
  }
  if (hosts > 1 || (hosts == 0 && !out.http_1_0))
    return refusal::no_host;
  if (out.chunked && out.content_length)
    return refusal::bad_length;
  return {};
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
      const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
      if (low < 0)
        return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (is_control(static_cast<unsigned char>(c)))
      return std::nullopt;
    out.push_back(c);
  }
  for (size_t i = 0; i < out.size();) { // parts of it become ids in JSON and in the database
    const auto unit = utf8_at(out, i);
    if (!unit.valid)
      return std::nullopt;
    i += unit.bytes;
  }
  return out;
}

} // namespace troupe

#include "transport/websocket/websocket_handshake.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <libwebsockets.h>

#include "messages/ascii_case.hpp"

namespace troupe {

namespace {

constexpr std::string_view accept_suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 4, '\0'); // needs more room than it fills
  const auto size = lws_b64_encode_string(bytes.data(), static_cast<int>(bytes.size()), out.data(),
                                          static_cast<int>(out.size()));
  out.resize(size < 0 ? 0 : static_cast<size_t>(size));
  return out;
}

bool is_reserved(std::string_view name) {
  constexpr std::string_view prefix = "sec-websocket-";
  return same_ignoring_case(name, "connection") || same_ignoring_case(name, "upgrade") ||
         same_ignoring_case(name.substr(0, prefix.size()), prefix);
}

bool holds_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool is_field_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return c > 0x20 && c < 0x7F &&
           std::string_view{"\"(),/:;<=>?@[\\]{}"}.find(c) == std::string_view::npos;
  });
}

/// Returns whether the comma-separated list `value` has `wanted` in it.
bool has_token(std::string_view value, std::string_view wanted) {
  while (!value.empty()) {
    const auto end = value.find(',');
    if (same_ignoring_case(trimmed(value.substr(0, end)), wanted))
      return true;
    value.remove_prefix(end == std::string_view::npos ? value.size() : end + 1);
  }
  return false;
}

/// The answer's status line and fields.
struct answer {
  std::string_view status; ///< "101 Switching Protocols"
  std::vector<std::pair<std::string_view, std::string_view>> fields;

  std::string_view field(std::string_view name) const {
    for (const auto& [each, value] : fields)
      if (same_ignoring_case(each, name))
        return value;
    return {};
  }
};

answer read_answer(std::string_view head) {
  answer out;
  for (bool first = true; !head.empty(); first = false) {
    const auto end = head.find('\n');
    auto line = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    const auto colon = line.find(':');
    if (first)
      out.status = line.starts_with("HTTP/1.")
                       ? trimmed(line.substr(std::min<size_t>(8, line.size())))
                       : std::string_view{};
    else if (colon != std::string_view::npos)
      out.fields.emplace_back(line.substr(0, colon), trimmed(line.substr(colon + 1)));
  }
  return out;
}

failure refused(const answer& got) {
  auto text =
      fmt::format("refused the WebSocket handshake with HTTP status {}", got.status.substr(0, 80));
  if (got.status.starts_with("401") || got.status.starts_with("403"))
    text += ": authorization is needed, put it into the `headers` of the server";
  else if (const auto to = got.field("location"); got.status.starts_with('3') && !to.empty())
    text += fmt::format(": it is at {}", to.substr(0, to.find('?'))); // a query may be secret
  return {errc::server_unavailable, std::move(text)};
}

/// Returns the value of a field that occurs exactly once, else "".
std::string_view only_field(const headers& in, std::string_view name) {
  const auto count =
      std::count_if(in.begin(), in.end(), [&](const header& each) { return each.name == name; });
  return count == 1 ? find_header(in, name) : std::string_view{};
}

/// Returns whether it is base64 of 16 bytes.
bool is_key(std::string_view text) {
  return text.size() == 24 && text.ends_with("==") &&
         std::all_of(text.begin(), text.end() - 2, [](char c) {
           return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
                  c == '/';
         });
}

/// Returns whether a client offers a subprotocol; their case matters, unlike that of other tokens.
bool offers(const headers& in, std::string_view subprotocol) {
  for (const auto& [name, value] : in) {
    if (name != "sec-websocket-protocol")
      continue;
    for (auto rest = std::string_view{value}; !rest.empty();) {
      const auto end = std::min(rest.find(','), rest.size());
      if (trimmed(rest.substr(0, end)) == subprotocol)
        return true;
      rest.remove_prefix(std::min(rest.size(), end + 1));
    }
  }
  return false;
}

failure broken(std::string text) {
  return {errc::server_protocol, std::move(text)};
}

} // namespace

failure read_websocket_url(std::string_view url, websocket_address& out) {
  const auto wrong = [&](std::string_view why) {
    return failure{errc::config_invalid, fmt::format("the URL {}", why)};
  };
  if (holds_control(url) || url.find(' ') != std::string_view::npos)
    return wrong("holds a blank or a control character");
  const auto colon = url.find("://");
  const auto scheme = url.substr(0, colon);
  if (colon == std::string_view::npos ||
      (!same_ignoring_case(scheme, "ws") && !same_ignoring_case(scheme, "wss")))
    return wrong("does not begin with ws:// or wss://");
  auto rest = url.substr(colon + 3);
  rest = rest.substr(0, rest.find('#'));
  const auto host_end = std::min(rest.find_first_of("/?"), rest.size());
  out.host = rest.substr(0, host_end);
  out.path = rest.substr(host_end);
  if (out.host.find('@') != std::string::npos)
    return wrong("has a user in it: put the authorization into the `headers` of the server");
  if (out.host.empty())
    return wrong("has no host");
  if (!out.path.starts_with('/'))
    out.path.insert(0, "/");
  out.http_url = fmt::format("http{}://{}{}", same_ignoring_case(scheme, "wss") ? "s" : "",
                             out.host, out.path);
  return {};
}

std::string websocket_key(const std::array<unsigned char, 16>& nonce) {
  return base64({reinterpret_cast<const char*>(nonce.data()), nonce.size()});
}

std::string websocket_accept(std::string_view key) {
  const auto text = fmt::format("{}{}", key, accept_suffix);
  std::array<unsigned char, 20> digest{};
  lws_SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

failure make_handshake(const websocket_address& to, std::string_view key,
                       std::string_view subprotocol, const headers& extra, std::string& out) {
  std::string_view host = to.host;
  std::string fields;
  for (const auto& each : extra) {
    if (!is_field_name(each.name) || holds_control(each.value) || is_reserved(each.name))
      return {errc::config_invalid,
              fmt::format("the header '{}' is not valid here", each.name.substr(0, 40))};
    if (same_ignoring_case(each.name, "host"))
      host = each.value;
    else
      fields += fmt::format("{}: {}\r\n", each.name, each.value);
  }
  out = fmt::format("GET {} HTTP/1.1\r\n"
                    "Host: {}\r\n"
                    "Connection: Upgrade\r\n"
                    "Upgrade: websocket\r\n"
                    "Sec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: {}\r\n"
                    "Sec-WebSocket-Protocol: {}\r\n"
                    "{}\r\n",
                    to.path, host, key, subprotocol, fields);
  return {};
}

failure check_handshake(std::string_view head, std::string_view key, std::string_view subprotocol) {
  const auto got = read_answer(head);
  if (got.status.empty())
    return broken("did not answer the WebSocket handshake with HTTP");
  if (!got.status.starts_with("101"))
    return refused(got);
  if (!has_token(got.field("upgrade"), "websocket") ||
      !has_token(got.field("connection"), "upgrade"))
    return broken("answered the WebSocket handshake without upgrading the connection");
  if (got.field("sec-websocket-accept") != websocket_accept(key))
    return broken("answered the WebSocket handshake of another key");
  if (!got.field("sec-websocket-extensions").empty())
    return broken("chose a WebSocket extension that was not offered");
  const auto chosen = got.field("sec-websocket-protocol");
  if (!chosen.empty() && chosen != subprotocol)
    return broken(fmt::format("chose the WebSocket subprotocol '{}' instead of '{}'",
                              chosen.substr(0, 40), subprotocol));
  return {};
}

http_refusal answer_handshake(const server_request& request, std::string_view subprotocol,
                              headers& out) {
  const auto holds = [&](std::string_view name, std::string_view token) {
    return std::any_of(request.fields.begin(), request.fields.end(), [&](const header& each) {
      return each.name == name && has_token(each.value, token);
    });
  };
  if (request.method != "GET" || !holds("upgrade", "websocket") ||
      !holds("connection", "upgrade")) {
    out = {{"upgrade", "websocket"}, {"sec-websocket-version", "13"}};
    return refusal::no_websocket;
  }
  if (find_header(request.fields, "sec-websocket-version") != "13") {
    out = {{"upgrade", "websocket"}, {"sec-websocket-version", "13"}};
    return refusal::websocket_version;
  }
  const auto key = only_field(request.fields, "sec-websocket-key");
  if (!is_key(key) || !request.body.empty()) {
    out = {{"sec-websocket-version", "13"}};
    return refusal::websocket_key;
  }
  out = {{"upgrade", "websocket"},
         {"connection", "Upgrade"},
         {"sec-websocket-accept", websocket_accept(key)}};
  if (!subprotocol.empty() && offers(request.fields, subprotocol))
    out.push_back({"sec-websocket-protocol", std::string{subprotocol}});
  return {};
}

} // namespace troupe

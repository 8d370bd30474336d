#include "apps/engine/access/known_fields.hpp"

#include <algorithm>
#include <cstring>

namespace troupe {

namespace {

constexpr std::string_view key_protocol = "troupe.key.";

/// The fields of which something else is kept.
struct raw_fields : known_fields {
  std::string_view authorization, api_key, protocols;
  std::string_view fetch_site, fetch_mode, referer;
  std::string_view asked_method;
};

/// Looks at the last letter first, which most names of the same length do not share.
/// @param text as long as the name
template <size_t N>
bool is(std::string_view name, const char (&text)[N]) {
  return name.back() == text[N - 2] && std::memcmp(name.data(), text, N - 1) == 0;
}

/// Returns where the value of a field goes, or nullptr. This runs for each field of each request.
std::string_view* place_of(std::string_view name, raw_fields& out) {
  switch (name.size()) {
  case 4:
    return is(name, "host") ? &out.host : nullptr;
  case 6:
    return is(name, "origin") ? &out.origin : nullptr;
  case 7:
    return is(name, "referer") ? &out.referer : nullptr;
  case 9:
    return is(name, "x-api-key") ? &out.api_key : nullptr;
  case 11:
    return is(name, "traceparent") ? &out.traceparent : nullptr;
  case 12:
    return is(name, "x-request-id") ? &out.request_id : nullptr;
  case 13:
    return is(name, "authorization") ? &out.authorization : nullptr;
  case 14:
    return is(name, "sec-fetch-site")   ? &out.fetch_site
           : is(name, "sec-fetch-mode") ? &out.fetch_mode
                                        : nullptr;
  case 16:
    return is(name, "x-forwarded-host")   ? &out.forwarded_host
           : is(name, "content-encoding") ? &out.content_encoding
                                          : nullptr;
  case 22:
    return is(name, "sec-websocket-protocol") ? &out.protocols : nullptr;
  case 29:
    return is(name, "access-control-request-method") ? &out.asked_method : nullptr;
  case 30:
    return is(name, "access-control-request-headers") ? &out.asked_headers : nullptr;
  case 38:
    return is(name, "access-control-request-private-network") ? &out.asked_private_network
                                                              : nullptr;
  default:
    return nullptr;
  }
}

bool is_letter_of(char lower, char c) {
  return c == lower || c == lower - 'a' + 'A';
}

/// Returns the credentials of `Authorization: Bearer ...`; schemes are of any case (RFC 9110).
std::string_view bearer(std::string_view value) {
  constexpr std::string_view scheme = "bearer";
  if (value.size() <= scheme.size() || value[scheme.size()] != ' ' ||
      !std::equal(scheme.begin(), scheme.end(), value.begin(), is_letter_of))
    return {};
  value.remove_prefix(std::min(value.find_first_not_of(' ', scheme.size()), value.size()));
  return value;
}

/// Finds a key among the subprotocols: the only header that a page can set for a WebSocket.
std::string_view protocol_key(std::string_view protocols) {
  while (!protocols.empty()) {
    auto each = protocols.substr(0, protocols.find(','));
    protocols.remove_prefix(std::min(protocols.size(), each.size() + 1));
    each.remove_prefix(std::min(each.find_first_not_of(" \t"), each.size()));
    each = each.substr(0, each.find_last_not_of(" \t") + 1);
    if (each.starts_with(key_protocol))
      return each.substr(key_protocol.size());
  }
  return {};
}

std::string_view key_of(const raw_fields& in, std::string_view path) {
  if (auto key = bearer(in.authorization); !key.empty())
    return key;
  if (!in.api_key.empty())
    return in.api_key;
  return path == "/v1/ws" ? protocol_key(in.protocols) : std::string_view{};
}

/// Returns SCHEME://HOST:PORT of the page that a Referer names.
std::string_view origin_of_url(std::string_view url) {
  const auto scheme = url.find("://");
  return scheme == std::string_view::npos ? std::string_view{}
                                          : url.substr(0, url.find('/', scheme + 3));
}

/// Returns whether another site's page has its browser send this without Origin: as a picture, a
/// script or the like (Fetch Metadata). A person who follows a link is none.
bool is_of_other_site(const raw_fields& in) {
  return (in.fetch_site == "cross-site" || in.fetch_site == "same-site") &&
         in.fetch_mode != "navigate";
}

std::string_view page_of(const raw_fields& in) {
  if (!in.origin.empty() || !is_of_other_site(in))
    return in.origin;
  const auto page = origin_of_url(in.referer);
  return page.empty() ? "another site" : page;
}

} // namespace

known_fields read_known_fields(const server_request& request) {
  raw_fields out;
  for (const auto& each : request.fields)
    if (auto* place = place_of(each.name, out); place != nullptr && place->data() == nullptr)
      *place = each.value;
  out.page = page_of(out);
  out.key = key_of(out, request.path);
  out.preflight = request.method == "OPTIONS" && !out.origin.empty() && !out.asked_method.empty();
  return out;
}

} // namespace troupe

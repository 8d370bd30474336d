#include "transport/mcp_http_session.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace troupe {

namespace {

bool mentions_session(std::string_view body) {
  constexpr std::string_view word = "session";
  const auto same = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); };
  return std::search(body.begin(), body.end(), word.begin(), word.end(),
                     [&](char in_body, char in_word) { return same(in_word, in_body); }) !=
         body.end();
}

} // namespace

mcp_http_call::mcp_http_call(loop& home, http_port& http, http_request request, uint64_t number,
                             handler handle)
    : route_{std::make_shared<route>()} {
  route_->handle = std::move(handle);
  const std::weak_ptr<route> weak = route_;
  exchange_ = http.open(std::move(request), number, [&home, weak](http_part&& part) {
    // A port may answer from another thread, or even before open() returns.
    const auto way = home.is_current() ? weak.lock() : nullptr;
    if (way && !way->opening)
      return way->handle(std::move(part));
    home.post([weak, part = std::move(part)]() mutable {
      if (const auto later = weak.lock())
        later->handle(std::move(part));
    });
  });
  route_->opening = false;
}

http_request mcp_http_session::request(std::string method, std::string accept) const {
  http_request out;
  out.method = std::move(method);
  out.url = config.url;
  out.proxy = config.proxy;
  out.deadlines = {config.connect_timeout, {}, {}, {}};
  out.fields = config.http_headers;
  if (!accept.empty())
    out.fields.push_back({"Accept", std::move(accept)});
  if (!id.empty())
    out.fields.push_back({"Mcp-Session-Id", id});
  if (!version.empty())
    out.fields.push_back({"MCP-Protocol-Version", version});
  return out;
}

std::unique_ptr<mcp_http_call> mcp_http_session::open(http_request request,
                                                      mcp_http_call::handler handle) {
  return std::make_unique<mcp_http_call>(home, http_, std::move(request), ++last_number_,
                                         std::move(handle));
}

void mcp_http_session::join(const std::string& session_id) {
  const auto visible = [](char c) { return c >= 0x21 && c <= 0x7E; };
  if (std::all_of(session_id.begin(), session_id.end(), visible))
    id = session_id;
}

bool mcp_http_session::is_lost(uint16_t status, std::string_view body) const {
  if (id.empty())
    return false;
  if (status == 404)
    return true;
  return (status == 400 || status == 401 || status == 503) && mentions_session(body);
}

} // namespace troupe

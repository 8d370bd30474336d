#include "apps/engine/http/nodes/forward_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace troupe {

namespace {

using std::chrono::milliseconds;
using namespace std::string_view_literals;

constexpr std::string_view node_prefix = "troupe-";
constexpr std::string_view any_node = "any";

/// A node in the same network takes a connection at once or is gone.
constexpr milliseconds node_connect_limit{2000};
/// A node that does not even acknowledge bytes is gone, or cut off.
constexpr milliseconds node_silence_limit{4000};

/// Fields of requests that end here: of the connection, of the client's rights, of its page.
constexpr std::array ended_here{
    "accept-encoding"sv,
    "authorization"sv,
    "connection"sv,
    "content-length"sv,
    "cookie"sv,
    "expect"sv,
    "host"sv,
    "keep-alive"sv,
    "origin"sv,
    "referer"sv,
    "te"sv,
    "trailer"sv,
    "transfer-encoding"sv,
    "upgrade"sv,
    "x-api-key"sv,
    "x-forwarded-host"sv,
};

/// Fields of answers that end here; our server writes its own `date` and `x-content-type-options`.
constexpr std::array not_passed{
    "connection"sv, "content-length"sv,    "date"sv,    "keep-alive"sv,
    "trailer"sv,    "transfer-encoding"sv, "upgrade"sv, "x-content-type-options"sv,
};

bool is_in(const auto& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

bool goes_on(const header& each) {
  return !each.name.starts_with(node_prefix) && !each.name.starts_with("sec-") &&
         !each.name.starts_with("proxy-") && !is_in(ended_here, each.name);
}

/// Returns the path and the query as they stand in the request line.
std::string target_of(const server_request& what) {
  return what.query.empty() ? what.target : what.target + '?' + what.query;
}

milliseconds unix_time() {
  return std::chrono::duration_cast<milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
}

std::string number_or_nothing(uint64_t number) {
  return number == 0 ? std::string{} : std::to_string(number);
}

/// @return false if the text is neither "" nor a number
template <class Number>
bool read_number(std::string_view text, Number& out) {
  if (text.empty())
    return true;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  return error == std::errc{} && stop == end;
}

} // namespace

http_request make_forward(const server_request& what, const forward_terms& terms,
                          const forward_sender& from, const std::string& address) {
  const auto target = target_of(what);
  const auto sent = std::to_string(unix_time().count());
  const auto limit = number_or_nothing(terms.concurrent_turns);
  const auto to = terms.to == 0 ? std::string{any_node} : std::to_string(terms.to);
  const auto body = forward_signature::digest(what.body);
  http_request out;
  out.method = what.method;
  out.url = address + target;
  for (const auto& each : what.fields)
    if (goes_on(each))
      out.fields.push_back(each);
  out.fields.insert(out.fields.end(),
                    {{"troupe-hop", "1"},
                     {"troupe-from", from.name},
                     {"troupe-sent", sent},
                     {"troupe-owner", terms.owner},
                     {"troupe-limit", limit},
                     {"troupe-to", to},
                     {"troupe-body", body},
                     {"troupe-signature", from.signature.of({from.name, sent, what.method, target,
                                                             terms.owner, limit, to, body})}});
  out.body = what.body;
  out.deadlines = {node_connect_limit, {}, {}, {}, node_silence_limit};
  out.once = what.method != "GET" && what.method != "HEAD";
  out.wants_head = true;
  out.direct = true; // whatever is between nodes, it is not the way to the internet
  return out;
}

failure read_forward(const server_request& request, const forward_signature& by, bool with_body,
                     forward_terms& out) {
  const auto field = [&](std::string_view name) { return find_header(request.fields, name); };
  const auto target = target_of(request);
  const auto limit = field("troupe-limit"), to = field("troupe-to"), body = field("troupe-body");
  const auto verdict = by.judge({field("troupe-from"), field("troupe-sent"), request.method, target,
                                 field("troupe-owner"), limit, to, body},
                                field("troupe-signature"), unix_time());
  if (verdict == forward_verdict::missing)
    return {errc::unauthorized, "This port is for the other nodes of a cluster; clients use the "
                                "address of \"listen\"."};
  if (verdict == forward_verdict::old)
    return {errc::forbidden, "The request was signed too long ago, or the clocks of both nodes "
                             "differ by more than 30 seconds."};
  if (verdict == forward_verdict::wrong ||
      (with_body && body != forward_signature::digest(request.body)))
    return {errc::forbidden, "The request is not signed with this node's cluster.secret."};
  out.owner = field("troupe-owner");
  if (!read_number(limit, out.concurrent_turns) ||
      (to != any_node && (!read_number(to, out.to) || out.to == 0)))
    return {errc::request_invalid, "troupe-limit or troupe-to cannot be read"};
  return {};
}

headers passed_fields(headers of_answer) {
  std::erase_if(of_answer, [](const header& each) {
    return each.name.starts_with(node_prefix) || is_in(not_passed, each.name);
  });
  return of_answer;
}

void drop_node_fields(headers& of_request) {
  std::erase_if(of_request, [](const header& each) { return each.name.starts_with(node_prefix); });
}

} // namespace troupe

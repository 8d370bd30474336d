#include "transport/http_client/http_client_transfer.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "messages/ascii_case.hpp"
#include "transport/http_client/http_client_buffers.hpp"

namespace troupe {

namespace {

constexpr long upload_buffer = 16L * 1024; // libcurl's minimum
constexpr size_t most_at_once = 16 * 1024; // body bytes of an exchange per iteration

using namespace std::chrono_literals;

/// Longer limits have the same effect as none, and a point in time must not overflow.
constexpr std::chrono::milliseconds longest_limit = 24h * 24;

/// Faster than find_first_of(), which looks each character up by itself.
bool holds_any(std::string_view text, std::initializer_list<char> unwanted) {
  return std::any_of(unwanted.begin(), unwanted.end(),
                     [text](char c) { return text.find(c) != std::string_view::npos; });
}

bool holds_line_break(std::string_view text) {
  return holds_any(text, {'\r', '\n', '\0'});
}

/// Says which certificates to trust. libcurl keeps a parsed bundle for the next connection only
/// when no folder is set beside it, and parsing Debian's takes the loop 20 ms.
void trust(CURL* fresh) {
  static const char* const named = std::getenv("SSL_CERT_FILE");
  if (named != nullptr && *named != '\0')
    curl_easy_setopt(fresh, CURLOPT_CAINFO, named);
  else if (curl_version_info(CURLVERSION_NOW)->cainfo == nullptr)
    return;
  curl_easy_setopt(fresh, CURLOPT_CAPATH, nullptr);
}

/// Has the kernel give up a silent peer: with TCP_USER_TIMEOUT unacknowledged bytes and unanswered
/// probes end the connection after that time. Where an option cannot be set, the system's limits
/// hold. @param limit a std::chrono::milliseconds
int watch_peer(void* limit, curl_socket_t socket, curlsocktype) {
  const auto set = [socket](int level, int name, int value) {
    setsockopt(socket, level, name, &value, sizeof value);
  };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 1);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 1);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT,
      static_cast<int>(static_cast<const std::chrono::milliseconds*>(limit)->count()));
  return CURL_SOCKOPT_OK;
}

/// Returns whether the environment has any variable that libcurl takes for a proxy's.
bool names_proxy() {
  const auto names = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
  return std::any_of(names.begin(), names.end(), [](const char* name) {
    const auto* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  });
}

} // namespace

http_transfer::http_transfer(http_request what, uint64_t number, http_port::receiver receiver)
    : deliver{std::move(receiver)}, holds_body{!what.body.empty()}, request{std::move(what)} {
  pending.exchange = number;
  auto& limits = request.deadlines;
  for (auto* limit : {&limits.connect, &limits.first_byte, &limits.idle, &limits.total})
    *limit = std::min<std::chrono::milliseconds>(*limit, longest_limit);
}

http_transfer::~http_transfer() {
  curl_slist_free_all(fields);
}

void http_transfer::prepare(CURL* fresh) {
  trust(fresh);
  curl_easy_setopt(fresh, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(fresh, CURLOPT_QUICK_EXIT, 1L); // a cancel must not wait for a name server
  curl_easy_setopt(fresh, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(fresh, CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_2TLS});
  curl_easy_setopt(fresh, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(fresh, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(fresh, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(fresh, CURLOPT_UPLOAD_BUFFERSIZE, upload_buffer);
  curl_easy_setopt(fresh, CURLOPT_HEADERFUNCTION, &http_transfer::on_header);
  curl_easy_setopt(fresh, CURLOPT_WRITEFUNCTION, &http_transfer::on_body);
  curl_easy_setopt(fresh, CURLOPT_READFUNCTION, &http_transfer::on_upload);
}

std::string http_transfer::attach(CURL* handle, long receive_buffer, CURLU* url) {
  easy = handle;
  if (request.method.empty() || holds_any(request.method, {' ', '\t', '\r', '\n'}))
    return fmt::format("'{}' is not a request method", request.method);
  if (auto wrong = set_fields(); !wrong.empty())
    return wrong;
  if (holds_line_break(request.url) || // a line break would get into the request line
      curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str()) != CURLE_OK)
    return "the URL cannot be read";
  curl_easy_setopt(easy, CURLOPT_CURLU, url); // retries and error texts use the text
  set_method();
  set_proxy();
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, receive_buffer);
  // Wait for a running TLS handshake instead of starting another one: it may become HTTP/2.
  curl_easy_setopt(easy, CURLOPT_PIPEWAIT, is_secure() ? 1L : 0L);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
  // libcurl takes zero as 300 seconds.
  const auto connect = request.deadlines.connect;
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                   connect > 0ms ? static_cast<long>(connect.count())
                                 : static_cast<long>(longest_limit.count()));
  auto& dead_peer = request.deadlines.dead_peer;
  curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, dead_peer > 0ms ? &watch_peer : nullptr);
  curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, &dead_peer);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_text.data());
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy, CURLOPT_READDATA, this);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, this);
  return {};
}

std::string http_transfer::set_fields() {
  bool has_type = false;
  bool has_coding = false;
  std::string line;
  const auto append = [this](const char* text) {
    if (auto* longer = curl_slist_append(fields, text))
      fields = longer;
  };
  for (const auto& each : request.fields) {
    if (each.name.empty() || holds_line_break(each.name) || holds_line_break(each.value))
      return fmt::format("the header '{}' is not valid", each.name.substr(0, 40));
    has_type = has_type || same_ignoring_case(each.name, "content-type");
    has_coding = has_coding || same_ignoring_case(each.name, "accept-encoding");
    line = each.name;
    line += each.value.empty() ? ";" : ": "; // tells libcurl that the value is empty
    line += each.value;
    append(line.c_str());
  }
  append("Expect:");
  if (!has_coding) // a request that says nothing accepts every coding (RFC 9110, 12.5.3)
    append("Accept-Encoding: identity");
  if (!has_type && !request.body.empty())
    append("Content-Type:");      // otherwise libcurl sends the type of a form
  headers{}.swap(request.fields); // libcurl uses its own copies, also in a retry
  return {};
}

void http_transfer::set_method() {
  const auto& method = request.method;
  const bool posts =
      !request.body.empty() || method == "POST" || method == "PUT" || method == "PATCH";
  curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L); // undoes the settings of an earlier exchange
  if (posts) {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    // The body is not copied. With `once` libcurl reads it by callback (on_upload), and then it
    // cannot send it again when a kept connection breaks.
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.once ? nullptr : request.body.data());
  } else if (method == "HEAD") {
    curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  }
  const bool usual = posts ? method == "POST" : method == "GET" || method == "HEAD";
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, usual ? nullptr : method.c_str());
}

/// Without these options libcurl searches the environment for each exchange. The environment's
/// exceptions (no_proxy) are for its own proxies, not for a configured one.
void http_transfer::set_proxy() {
  static const bool in_environment = names_proxy();
  const bool asks = request.proxy.empty() && in_environment && !request.direct;
  curl_easy_setopt(easy, CURLOPT_PROXY, asks ? nullptr : request.proxy.c_str());
  curl_easy_setopt(easy, CURLOPT_NOPROXY, asks ? nullptr : "");
}

bool http_transfer::came_in_bulk() const {
  return in_bulk || pending.bytes.size() > http_client_buffers::bulk;
}

CURL* http_transfer::detach() {
  curl_easy_setopt(easy, CURLOPT_CURLU, nullptr);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, nullptr);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, nullptr);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, nullptr);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, nullptr);
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 0L);
  curl_slist_free_all(std::exchange(fields, nullptr));
  request = {};
  lane = nullptr;
  return std::exchange(easy, nullptr);
}

size_t http_transfer::on_upload(char* out, size_t size, size_t count, void* self) noexcept {
  auto& to = *static_cast<http_transfer*>(self);
  if (to.uploaded >= to.request.body.size())
    return CURL_READFUNC_ABORT; // libcurl starts the upload again
  const auto copied = to.request.body.copy(out, size * count, to.uploaded);
  to.uploaded += copied;
  return copied;
}

size_t http_transfer::on_body(char* data, size_t size, size_t count, void* self) noexcept {
  auto& to = *static_cast<http_transfer*>(self);
  if (!to.can_read_body())
    return 0;
  if (to.paused)
    return CURL_WRITEFUNC_PAUSE; // libcurl keeps these bytes
  to.has_body = true;
  to.pending.bytes.append(data, size * count);
  to.queue();
  if (to.pending.bytes.size() >= most_at_once && !std::exchange(to.yields, true))
    curl_easy_pause(to.easy, CURLPAUSE_RECV);
  return size * count;
}

void http_transfer::queue() {
  if (!std::exchange(queued, true))
    ready->push_back(shared_from_this());
}

void http_transfer::finish(errc error, std::string text) {
  state = phase::over;
  if (!head_complete)
    pending.status = 0; // may be of an interim answer or an incomplete head
  pending.last = true;
  pending.error = error;
  pending.error_text = std::move(text);
}

http_part http_transfer::take(time_point now) {
  last_read = now;
  queued = false;
  in_bulk = came_in_bulk();
  http_part part;
  part.exchange = pending.exchange;
  if (pending.status == 0 && !pending.last) // the usual case
    part.bytes.swap(pending.bytes);
  else
    std::swap(part, pending);
  return part;
}

void http_transfer::drop_sent_body() {
  if (!holds_body || !head_complete || easy == nullptr)
    return;
  curl_off_t sent = 0;
  curl_easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &sent);
  if (static_cast<size_t>(sent) != request.body.size())
    return;
  std::string{}.swap(request.body);
  holds_body = false;
}

} // namespace troupe

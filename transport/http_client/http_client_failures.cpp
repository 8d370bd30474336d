// The failures of an exchange: libcurl's results as errors, and the deadlines.
#include <algorithm>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "transport/http_client/http_client_transfer.hpp"

namespace troupe {

using namespace std::chrono_literals;

namespace {

bool is_of_connecting(CURLcode result) {
  const auto all = {
      CURLE_OPERATION_TIMEDOUT,      CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST,
      CURLE_COULDNT_RESOLVE_PROXY,   CURLE_PROXY,           CURLE_SSL_CONNECT_ERROR,
      CURLE_PEER_FAILED_VERIFICATION};
  return std::find(all.begin(), all.end(), result) != all.end();
}

} // namespace

std::string http_transfer::authority() const {
  std::unique_ptr<CURLU, void (*)(CURLU*)> url{curl_url(), curl_url_cleanup};
  std::string result;
  if (url == nullptr || curl_url_set(url.get(), CURLUPART_URL, request.url.c_str(), 0) != CURLUE_OK)
    return request.url.substr(0, 200);
  for (auto part : {CURLUPART_HOST, CURLUPART_PORT}) {
    char* text = nullptr;
    if (curl_url_get(url.get(), part, &text, CURLU_DEFAULT_PORT) == CURLUE_OK) {
      result += result.empty() ? "" : ":";
      result += text;
    }
    curl_free(text);
  }
  return result;
}

/// We ask for no coding. Some servers name a character set as one.
bool http_transfer::can_read_body() const {
  if (coding.empty())
    return true;
  const auto harmless = {"identity", "none", "utf-8", "utf8"};
  return std::any_of(harmless.begin(), harmless.end(),
                     [this](const char* each) { return curl_strequal(each, coding.c_str()) != 0; });
}

constexpr std::string_view encoded_answer =
    "the answer of {} is {} encoded, though the request said that it must not be (Accept-Encoding: "
    "identity)";

/// When a kept connection breaks, libcurl opens another one, and only then finds that the body must
/// not be sent again. If it cannot open that one, the peer may all the same have had the request.
failure http_transfer::explain(CURLcode result) const {
  long number = 0;
  curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &number);
  std::string why = error_text[0] != '\0' ? error_text.data() : curl_easy_strerror(result);
  switch (uploaded != 0 && is_of_connecting(result) ? CURLE_SEND_FAIL_REWIND : result) {
  case CURLE_OK:
    return {};
  case CURLE_OPERATION_TIMEDOUT:
    return {errc::connect_timeout, fmt::format("{} did not accept a connection within {} ms",
                                               authority(), request.deadlines.connect.count())};
  case CURLE_COULDNT_CONNECT:
    if (number != 0 && request.proxy.empty())
      why = std::strerror(static_cast<int>(number));
    [[fallthrough]];
  case CURLE_COULDNT_RESOLVE_HOST:
  case CURLE_COULDNT_RESOLVE_PROXY:
  case CURLE_PROXY:
  case CURLE_SSL_CONNECT_ERROR:
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_CACERT_BADFILE:
  case CURLE_SSL_CERTPROBLEM:
  case CURLE_SSL_CIPHER:
  case CURLE_SSL_ISSUER_ERROR:
  case CURLE_URL_MALFORMAT:
  case CURLE_UNSUPPORTED_PROTOCOL:
    return {errc::connect_failed, fmt::format("cannot connect to {}: {}", authority(), why)};
  case CURLE_WRITE_ERROR: // on_body() takes what can be read
    return {errc::encoding_unsupported,
            fmt::format(encoded_answer, authority(), coding.substr(0, 40))};
  case CURLE_SEND_FAIL_REWIND: // http_request::once forbids a second upload
  case CURLE_ABORTED_BY_CALLBACK:
    return {errc::connection_cut,
            fmt::format("{} closed the connection before it answered", authority())};
  default:
    return {errc::connection_cut,
            fmt::format("the connection to {} broke off: {}", authority(), why)};
  }
}

bool http_transfer::retry(CURLcode result) {
  const bool cut =
      result == CURLE_SEND_ERROR || result == CURLE_RECV_ERROR || result == CURLE_GOT_NOTHING;
  if (!cut || pending.status != 0 || head_complete || retried || uploaded != 0)
    return false;
  long connects = 0;
  curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connects);
  if (connects != 0)
    return false;
  retried = true;
  error_text[0] = '\0';
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
  return true;
}

failure http_transfer::overdue(time_point now) const {
  const auto& limits = request.deadlines;
  const auto passed = [&](time_point since, std::chrono::milliseconds limit) {
    return limit > 0ms && now - since >= limit;
  };
  const auto say = [&](const char* what, std::chrono::milliseconds limit) {
    return failure{errc::deadline_exceeded,
                   fmt::format(fmt::runtime(what), authority(), limit.count())};
  };
  if (passed(started, limits.total))
    return say("{} did not finish its answer within {} ms", limits.total);
  if (paused)
    return {};
  if (!has_body && passed(started, limits.first_byte))
    return say("{} did not begin its answer within {} ms", limits.first_byte);
  if (has_body && passed(last_read, limits.idle))
    return say("{} sent nothing for {} ms", limits.idle);
  return {};
}

http_transfer::time_point http_transfer::next_check(time_point now) const {
  const auto& limits = request.deadlines;
  auto next = time_point::max();
  const auto consider = [&](time_point since, std::chrono::milliseconds limit) {
    if (limit > 0ms)
      next = std::min(next, since + limit);
  };
  consider(started, limits.total);
  if (!has_body && !paused)
    consider(started, limits.first_byte);
  // The idle time may begin at any moment from now on, and nothing is moved when it does.
  consider(has_body && !paused ? last_read : now, limits.idle);
  return next;
}

} // namespace troupe

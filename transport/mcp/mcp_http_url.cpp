#include "transport/mcp/mcp_http_url.hpp"

#include <algorithm>
#include <memory>

#include <curl/curl.h>

namespace troupe {

namespace {

using parsed_url = std::unique_ptr<CURLU, void (*)(CURLU*)>;

parsed_url parse(const std::string& url) {
  parsed_url out{curl_url(), curl_url_cleanup};
  if (out && curl_url_set(out.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
    out.reset();
  return out;
}

std::string part_of(const parsed_url& url, CURLUPart part) {
  char* text = nullptr;
  std::string out;
  if (curl_url_get(url.get(), part, &text, CURLU_DEFAULT_PORT) == CURLUE_OK)
    out = text;
  curl_free(text);
  return out;
}

std::string origin_of(const parsed_url& url) {
  if (!url)
    return {};
  auto out = part_of(url, CURLUPART_SCHEME) + "://" + part_of(url, CURLUPART_HOST) + ":" +
             part_of(url, CURLUPART_PORT);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return out;
}

} // namespace

named_url resolve_url(const std::string& base, const std::string& reference) {
  auto url = parse(base);
  const auto origin = origin_of(url);
  if (!url || curl_url_set(url.get(), CURLUPART_URL, reference.c_str(), 0) != CURLUE_OK)
    return {};
  const auto there = origin_of(url);
  char* text = nullptr;
  named_url out;
  if (curl_url_get(url.get(), CURLUPART_URL, &text, 0) == CURLUE_OK)
    out = {text, there == origin};
  curl_free(text);
  return out;
}

std::string origin_of(const std::string& url) {
  return origin_of(parse(url));
}

} // namespace troupe

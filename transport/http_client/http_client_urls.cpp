#include "transport/http_client/http_client_urls.hpp"

namespace troupe {

namespace {

constexpr size_t most_urls = 256; // URLs are few, unless they contain data of the request

// The flags with which libcurl reads CURLOPT_URL.
constexpr unsigned flags = CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME;

/// Returns whether the URL has an IPv6 zone, which libcurl's copies of a URL lose.
bool has_zone(CURLU* url) {
  char* zone = nullptr;
  const auto has = curl_url_get(url, CURLUPART_ZONEID, &zone, 0) == CURLUE_OK;
  curl_free(zone);
  return has;
}

} // namespace

CURLU* http_client_urls::find(const std::string& url) {
  if (auto known = known_.find(url); known != known_.end())
    return known->second.get();
  if (known_.size() >= most_urls)
    return nullptr;
  std::unique_ptr<CURLU, cleanup> read{curl_url()};
  if (!read || curl_url_set(read.get(), CURLUPART_URL, url.c_str(), flags) != CURLUE_OK ||
      has_zone(read.get()))
    return nullptr;
  return known_.emplace(url, std::move(read)).first->second.get();
}

} // namespace troupe

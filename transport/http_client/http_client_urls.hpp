// URLs that libcurl has parsed.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include <curl/curl.h>

namespace troupe {

/// Caches parsed URLs. Exchanges use few URLs, many times: copying a parsed URL costs a tenth of
/// parsing it, for which libcurl builds it anew byte by byte. Keeps the first 256 URLs for ever,
/// because running exchanges point to them. Loop thread only.
class http_client_urls {
public:
  /// Returns the value of CURLOPT_CURLU for this URL; lives as long as this object. nullptr:
  /// libcurl must read the URL itself and report its faults.
  CURLU* find(const std::string& url);

private:
  struct cleanup {
    void operator()(CURLU* url) const noexcept { curl_url_cleanup(url); }
  };

  std::unordered_map<std::string, std::unique_ptr<CURLU, cleanup>> known_;
};

} // namespace troupe

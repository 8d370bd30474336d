// URLs as libcurl has read them.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include <curl/curl.h>

namespace troupe {

/// Exchanges have few URLs, each again and again: to copy one that was read costs a tenth of
/// reading it, which libcurl does by putting it together again byte by byte. Keeps the first 256
/// that come: exchanges under way point here. Loop thread only.
class http_client_urls {
public:
  /// Returns what CURLOPT_CURLU takes for this URL; lives as long as this. nullptr: libcurl is to
  /// read the URL itself, and to say what is wrong with it.
  CURLU* find(const std::string& url);

private:
  struct cleanup {
    void operator()(CURLU* url) const noexcept { curl_url_cleanup(url); }
  };

  std::unordered_map<std::string, std::unique_ptr<CURLU, cleanup>> known_;
};

} // namespace troupe

// Keeps the secrets of a server's configuration out of what is said about it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "messages/mcp/mcp_config.hpp"

namespace troupe {

/// Blackens the values of `env` and `headers`, and what a URL carries beside its address, in texts
/// that servers and transports made: a server may print its own key when it fails. Not thread safe.
class secret_filter {
public:
  /// Shorter values are words, not secrets.
  static constexpr size_t least_bytes = 6;

  secret_filter() = default;

  explicit secret_filter(const mcp_server_config& config) {
    for (const auto& [name, value] : config.env)
      add(value);
    for (const auto& each : config.http_headers) {
      add(each.value);
      add(std::string_view{each.value}.substr(each.value.find(' ') + 1)); // "Bearer ..."
    }
    for (std::string_view url : {config.url, config.proxy}) {
      auto query = url.find('?');
      if (query != std::string_view::npos)
        add(url.substr(query + 1));
      auto host = url.substr(0, query).find('@');
      auto scheme = url.find("://");
      if (host != std::string_view::npos && scheme != std::string_view::npos && scheme < host)
        add(url.substr(scheme + 3, host - scheme - 3));
    }
    // Long ones first: one may be a part of another.
    std::sort(secrets_.begin(), secrets_.end(),
              [](const auto& a, const auto& b) { return a.size() > b.size(); });
  }

  std::string blacken(std::string text) const {
    for (const auto& each : secrets_)
      for (auto at = text.find(each); at != std::string::npos; at = text.find(each, at + 3))
        text.replace(at, each.size(), "***");
    return text;
  }

private:
  void add(std::string_view value) {
    if (value.size() >= least_bytes)
      secrets_.emplace_back(value);
  }

  std::vector<std::string> secrets_;
};

} // namespace troupe

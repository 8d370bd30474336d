// An answer in a protocol of others.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "messages/errors.hpp"
#include "messages/http.hpp"
#include "messages/ports/ports.hpp"

namespace troupe {

/// Where an answer goes, and how it is refused.
struct compat_answer {
  std::shared_ptr<http_response> response;
  headers extra; ///< goes into the head of every answer
  void (*refuse)(http_response&, const failure&, headers);
  std::string_view stream_type = "text/event-stream"; ///< content type of a stream
  std::string_view sign_of_life = ": keep-alive\n\n"; ///< of a silent stream; in static storage

  headers head(std::string_view content_type) const {
    auto all = extra;
    all.push_back({"content-type", std::string{content_type}});
    return all;
  }
};

} // namespace troupe

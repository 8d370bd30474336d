#include "apps/engine/http/requests/request_trace.hpp"

#include <algorithm>

#include "messages/ids.hpp"
#include "messages/wire/traceparent.hpp"

namespace troupe {

namespace {

constexpr size_t max_request_id_bytes = 128;

bool is_visible(char c) {
  return c > ' ' && c < '\x7F';
}

} // namespace

std::string request_id_of(const known_fields& of) {
  const auto given = of.request_id;
  if (given.empty() || given.size() > max_request_id_bytes ||
      !std::all_of(given.begin(), given.end(), is_visible))
    return make_id("req_");
  return std::string{given};
}

std::string traceparent_of(const known_fields& of) {
  return is_traceparent(of.traceparent) ? std::string{of.traceparent} : std::string{};
}

} // namespace troupe

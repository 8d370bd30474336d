// THE list of what the HTTP interface does, for its description.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "apps/engine/access/principal.hpp"

namespace troupe {

/// The form of an answer's body.
enum class api_answer : uint8_t {
  json,
  events,         ///< server-sent events
  json_or_events, ///< as the request asks
  json_or_lines,  ///< as the request asks; lines of JSON
  any_stream,     ///< events, lines, or JSON: as the request asks
  text,
  bytes,  ///< of any type
  nothing ///< it is no body: a WebSocket
};

/// One route: what it does, and the shapes of its bodies.
struct api_operation {
  std::string_view method;
  std::string_view path; ///< with names: "/v1/sessions/{id}/turns"
  std::string_view tag;
  std::string_view summary;
  api_answer answer = api_answer::json;
  std::string_view request = {}; ///< a name in api_schemas(); "" = no body
  std::string_view result = {};  ///< a name in api_schemas(); "" = any
  std::string_view query = {};   ///< names of its members, apart by spaces
  route_access access = route_access::owners;
  std::string_view takes = "application/json"; ///< media type of the request's body
};

/// Returns all operations. A test compares them with route_tables().
std::span<const api_operation> api_operations();

} // namespace troupe

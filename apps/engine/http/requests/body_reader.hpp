// Bodies of requests that are JSON objects.
#pragma once

#include <string_view>

#include "apps/engine/configuration/object_reader.hpp"
#include "messages/errors.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

inline const reading_rules of_bodies{errc::request_invalid, "the body", false};

/// Reads a body with `read(object_reader&)` and refuses members that `read` did not read.
/// @return request_invalid, naming the place, or no error
template <class Read>
failure read_body(std::string_view body, Read read) {
  const json_source text{body};
  if (!text.fault().empty())
    return {errc::request_invalid, "the body is not valid JSON: " + text.fault()};
  failure error;
  object_reader in{text.root(), "", error, of_bodies};
  read(in);
  in.finish();
  return error;
}

} // namespace troupe

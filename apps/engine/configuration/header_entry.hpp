// The `headers` of an entry: fields that are sent with each request.
#pragma once

#include "apps/engine/configuration/object_reader.hpp"
#include "messages/http.hpp"

namespace troupe {

/// Reads the member `headers`, an object of strings. Fails with names that no header can have, and
/// with values that would begin another header.
void read_headers(object_reader& in, headers& out);

} // namespace troupe

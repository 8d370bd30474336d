// ETags of conversations, so that two clients that change the same one notice (RFC 9110, 8.8, 13).
#pragma once

#include <cstdint>
#include <string>

#include "messages/errors.hpp"
#include "messages/http.hpp"

namespace troupe {

// A weak tag counts like a strong one: proxies that compress make strong tags weak, and a version
// names the state, not the bytes.

/// Returns the ETag of a version: "v12", with the quotes.
std::string entity_tag(uint64_t version);

/// Reads If-Match. @param version what it demands; 0 without the header, and for *
/// @return conversation_changed for a tag that is none of ours, request_invalid for several
failure read_wanted_version(const headers& fields, uint64_t& version);

/// Returns whether If-None-Match names the version, or is *.
bool has_seen(const headers& fields, uint64_t version);

} // namespace troupe

// Removes many conversations of an owner at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apps/engine/http/requests/http_route.hpp"
#include "messages/errors.hpp"
#include "messages/store/conversation.hpp"

namespace troupe {

/// Which conversations are removed: those that all of it is true for.
struct removal_filter {
  std::string id;                   ///< with * for any characters; empty: any
  std::optional<int64_t> before_ms; ///< the last change was before
  bool only_counts = false;

  bool takes(const conversation_info& which) const;
};

/// Reads `id=bench-*`, `before=2026-11-01`, `all=true`, `dryRun=true`. @return request_invalid,
/// also if nothing says which
failure parse_removal(std::string_view query, removal_filter& out);

/// Answers with how many were there and how many were removed. The list is made before any is
/// removed. One that another client changes meanwhile is removed, too; a client that leaves ends
/// it.
void reply_with_removal(http_call& in, removal_filter which);

} // namespace troupe
